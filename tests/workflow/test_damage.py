"""Random damages to a study's files: the same command mends the study, or says in one line why not.

After each damage a further repeat is asked for, so that all files are read.
"""

import random
import shutil

import pandas as pd
import pytest
from small_checkout import MEASUREMENTS, TWICE, Checkout

PART = 5
"""How many damages a test tries."""
FIRSTS = range(0, 500, PART)
CASES = {"first": TWICE["cases"]["first"]}
BEFORE = {**TWICE, "cases": CASES}
AFTER = {**BEFORE, "repeats": 3}
RUN = ["case", "framework", "repeat", "metric"]
DAMAGED_CASES = pytest.mark.parametrize(
    "first", [pytest.param(n, marks=[pytest.mark.whole] if n else []) for n in FIRSTS]
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout whose study has been measured, with a copy of all that it wrote beside it."""
    checkout = Checkout(tmp_path_factory.mktemp("checkout"))
    checkout.write(BEFORE)
    checkout.snakemake()
    keep(checkout)
    yield checkout
    checkout.kill()


def keep(checkout):
    for name in ("results", ".snakemake"):
        shutil.copytree(checkout.folder / name, checkout.folder / "kept" / name, symlinks=True)


def restore(checkout):
    for name in ("results", ".snakemake"):
        shutil.rmtree(checkout.folder / name)
        shutil.copytree(checkout.folder / "kept" / name, checkout.folder / name, symlinks=True)
    checkout.write(BEFORE)


def files(folder):
    """All files of results but logs of jobs and locks, which nothing reads."""
    paths = sorted(path for path in (folder / "results").rglob("*") if path.is_file())
    return [path for path in paths if "logs" not in path.parts and path.suffix != ".lock"]


def cut_off(path, dice, others):
    path.write_bytes(path.read_bytes()[: dice.randrange(path.stat().st_size + 1)])


def emptied(path, dice, others):
    path.write_bytes(b"")


def deleted(path, dice, others):
    path.unlink()


def a_byte_changed(path, dice, others):
    content = bytearray(path.read_bytes() or b"0")
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def a_number_replaced(path, dice, others):
    number = dice.choice([b"NaN", b"1e400", b"-1", b"null"])
    path.write_bytes(path.read_bytes().replace(dice.choice([b"1", b"2", b"0.", b"16"]), number, 1))


def replaced_by_another(path, dice, others):
    shutil.copy(dice.choice(others), path)


CHANGES = [cut_off, emptied, deleted, a_byte_changed, a_number_replaced, replaced_by_another]


def damage(folder, dice):
    """Change a file of a random kind; gives its path."""
    paths = files(folder)
    kind = dice.choice(sorted({path.name for path in paths}))
    path = dice.choice([path for path in paths if path.name == kind])
    others = [other for other in paths if other != path]
    alike = [other for other in others if other.suffix == path.suffix]
    change = dice.choice(CHANGES)
    change(path, dice, alike or others)
    return change.__name__, path


def values(checkout):
    table = pd.read_csv(checkout.folder / MEASUREMENTS).set_index(RUN)[["status", "value"]]
    return table[table.index.get_level_values("repeat") < 3]


def message(printed):
    """The one line that says why a study can't go on; none beside a traceback."""
    lines = [line for line in printed.splitlines() if " is damaged " in line]
    return lines[-1] if lines and "Traceback" not in printed else ""


@DAMAGED_CASES
def test_a_damaged_file_is_mended_or_named(checkout, first):
    before = values(checkout)
    wrong = []
    for number in range(first, first + PART):
        try:
            change, path = damage(checkout.folder, random.Random(number))
            name = path.relative_to(checkout.folder)
            checkout.write(AFTER)
            status, printed = checkout.call()
            if status and str(name) in message(printed):
                path.unlink()
                status, printed = checkout.call()
            if status:
                wrong.append(f"{number}: {name} {change}: {printed}")
            elif not same(values(checkout), before, name):
                wrong.append(f"{number}: {name} {change}: other values: {printed}")
        finally:
            restore(checkout)
    assert not wrong, "\n\n".join(wrong)


def same(after, before, damaged):
    """Whether values are as before; those of a damaged run may have been measured again."""
    if "/runs/" in str(damaged):
        repeat = int(damaged.parent.name[1:])
        after, before = (side.drop(index=repeat, level="repeat") for side in (after, before))
    return after.equals(before)
