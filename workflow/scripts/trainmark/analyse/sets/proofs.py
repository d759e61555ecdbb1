"""Proofs of equal work in an archive's light form, and what contradicts them."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from trainmark.analyse.sets import light
from trainmark.analyse.sets.result_set import UnfitResults
from trainmark.files import strict_json
from trainmark.runs.formats import Record

Proof = Mapping[str, Any]
LARGEST_LIMIT = 0.5
"""The largest limit that proves anything (worker.proof.tolerances.TELLING)."""
ERROR = {"type": ["number", "null"], "minimum": 0}
NOT_QUANTITIES = ("event", "run", "error", "passed", "worst_layer", "limits")
SCHEMA = {
    "type": "object",
    "properties": {
        "event": {"const": "parity"},
        "run": {"type": "string"},
        "error": ERROR,
        "passed": {"type": "boolean"},
        "worst_layer": {"type": ["string", "null"]},
        "limits": {
            "type": "object",
            "propertyNames": {"not": {"enum": [*NOT_QUANTITIES]}},
            "additionalProperties": ERROR,
        },
    },
    "additionalProperties": ERROR,
    "required": ["run", "error", "passed", "limits"],
}
LARGEST_DIFFERENCE = 1e-6
"""How far a number of the table may be from what the records say, as a part of it."""


def read(path: Path, lines: str) -> dict[str, Proof]:
    """The parity events by the run's name, of an archive at this path; raises UnfitResults."""
    validator = Draft202012Validator(SCHEMA)
    proofs: dict[str, Proof] = {}
    for number, line in enumerate(lines.splitlines(), start=1):
        try:
            proof = strict_json(line.encode())
        except (ValueError, RecursionError) as error:
            raise UnfitResults(f"{path}: {light.PROOFS} is damaged ({error})") from error
        is_proof = validator.is_valid(proof) and proof["limits"].keys() <= proof.keys()
        if not is_proof or proof["run"] in proofs:
            raise UnfitResults(
                f"{path}: {light.PROOFS}: line {number} is no proof, or the second one of a run"
            )
        proofs[proof["run"]] = proof
    return proofs


def unproven(record: Record, proof: Proof | None, parity_error: float) -> Iterator[str]:
    """Faults of a run's proof, its verdict judged again from errors and limits.

    `parity_error` is the run's in measurements.csv.
    """
    if record["status"] != "ok":
        return
    if proof is None:
        yield "it is ok without a proof of parity"
    elif not proof["passed"]:
        yield "it is ok though its parity failed"
    else:
        yield from _beyond_limits(proof)
        if not is_near(parity_error, proof["error"]):
            yield f"measurements.csv has a parity error of {parity_error}, not {proof['error']}"


def _beyond_limits(proof: Proof) -> Iterator[str]:
    limits = {name: limit for name, limit in proof["limits"].items() if limit is not None}
    if not limits:
        yield "no quantity of its parity has a limit"
        return
    for quantity, limit in limits.items():
        error = proof[quantity]
        if limit > LARGEST_LIMIT:
            yield f"the limit of its {quantity} proves nothing: {limit}"
        elif error is None or error > limit:
            yield f"its {quantity} is off by {error}, beyond {limit}"
    errors = [proof[name] for name in limits]
    if None not in errors and not is_near(max(errors), proof["error"]):
        yield f"its parity error is {max(errors)}, not {proof['error']}"


def is_near(value: float, other: float | None) -> bool:
    """Whether two numbers are the same but for rounding; none is near None or NaN."""
    return other is not None and math.isclose(value, other, rel_tol=LARGEST_DIFFERENCE)
