"""Bringing one file from one address into a partial file, and going on where that stopped.

The checksum of the whole is known beforehand, so a partial file may be continued from any mirror:
should the pieces not fit together (the file changed, a mirror is wrong), it is fetched afresh.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

import requests
import tenacity
import urllib3
from tqdm import tqdm

from trainmark.data.files import SourceFile, WrongFile, check, check_size, is_right
from trainmark.data.storage import StorageError
from trainmark.errors import TrainmarkError

BLOCK_BYTES = 2**16
LOG_BYTES = 2**25
PASSING_STATUSES = {408, 425, 429, 500, 502, 503, 504}
LONGEST_PAUSE_SECONDS = 60

logger = logging.getLogger(__name__)


class DownloadError(TrainmarkError):
    """A file that can't be had, or not from this address."""


class PassingError(DownloadError):
    """A failure that may be over after a pause."""


@dataclass(frozen=True)
class Patience:
    """How often to ask an address that fails for now, and how long to wait for it.

    The pause before asking again doubles from time to time; a silent server has failed.
    """

    attempts: int = 4
    pause_seconds: float = 1.0
    silence_seconds: float = 60.0


def local_path(address: str) -> Path | None:
    """The path that an address (URL or path) means, or None where it is one of the network."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        return None
    return Path(unquote(parts.path) if parts.scheme == "file" else address).expanduser()


def transfer(file: SourceFile, address: str, part: Path, patience: Patience) -> None:
    """Bring `file` from `address` into `part`, whole and checked.

    Raises WrongFile (`part` is gone then), DownloadError (`part` holds the bytes so far) or
    StorageError (`part` is gone).
    """
    attempt = tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(PassingError),
        stop=tenacity.stop_after_attempt(patience.attempts),
        wait=tenacity.wait_exponential(patience.pause_seconds, max=LONGEST_PAUSE_SECONDS),
        before_sleep=tenacity.before_sleep_log(logger, logging.WARNING),
        reraise=True,
    )
    resumed = attempt(_continue, file, address, part, patience.silence_seconds)
    if resumed and not is_right(part, file):
        logger.warning("%s: the pieces don't fit together, fetching it afresh", address)
        part.unlink()
        attempt(_continue, file, address, part, patience.silence_seconds)
    try:
        check(part, file)
    except WrongFile:
        part.unlink()
        raise


def _continue(file: SourceFile, address: str, part: Path, silence_seconds: float) -> bool:
    """Fetch what `part` lacks; true if it holds bytes of an earlier attempt."""
    offset = part.stat().st_size if part.exists() else 0
    if offset == file.bytes:
        return True
    if offset > file.bytes:
        offset = 0
    logger.info("fetching %s (%.1f MB) from byte %d on", address, file.bytes / 1e6, offset)
    path = local_path(address)
    opened = _local(path, file) if path else _remote(address, offset, file, silence_seconds)
    with opened as (start, blocks):
        _append(_shown(blocks, file, start), start, part)
    if part.stat().st_size < file.bytes:
        raise PassingError(f"broke off after {part.stat().st_size} of {file.bytes} bytes")
    return start > 0


@contextmanager
def _local(path: Path, file: SourceFile) -> Iterator[tuple[int, Iterator[bytes]]]:
    try:
        with path.open("rb") as content:
            check_size(path, file)
            yield 0, _read(content)
    except OSError as error:
        raise DownloadError(f"can't be read ({error.strerror})") from error


def _read(content: BinaryIO) -> Iterator[bytes]:
    try:
        while block := content.read(BLOCK_BYTES):
            yield block
    except OSError as error:
        raise DownloadError(f"can't be read ({error.strerror})") from error


@contextmanager
def _remote(
    address: str, offset: int, file: SourceFile, silence_seconds: float
) -> Iterator[tuple[int, Iterator[bytes]]]:
    with _answer(address, offset, silence_seconds) as response:
        start = _start(response)
        announced = response.headers.get("Content-Length")
        if announced is not None and start + int(announced) != file.bytes:
            raise WrongFile(f"would have {start + int(announced)} bytes instead of {file.bytes}")
        yield start, _received(response)


def _answer(address: str, offset: int, silence_seconds: float) -> requests.Response:
    headers = {"Accept-Encoding": "identity"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
    try:
        response = requests.get(address, headers=headers, stream=True, timeout=silence_seconds)
    except (requests.ConnectionError, requests.Timeout) as error:
        raise PassingError(f"can't be reached ({_root_cause(error)})") from error
    except requests.RequestException as error:
        raise DownloadError(f"can't be asked ({error})") from error
    if response.status_code not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
        kind = PassingError if response.status_code in PASSING_STATUSES else DownloadError
        raise kind(f"answers {response.status_code} {response.reason}")
    return response


def _start(response: requests.Response) -> int:
    """The byte with which the answer starts: 0 where the server doesn't know ranges."""
    if response.status_code == HTTPStatus.OK:
        return 0
    found = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if found is None:
        raise DownloadError("answers with a part of the file without saying which")
    return int(found[1])


def _received(response: requests.Response) -> Iterator[bytes]:
    try:
        yield from response.raw.stream(BLOCK_BYTES, decode_content=False)
    except urllib3.exceptions.HTTPError as error:
        raise PassingError(f"broke off ({error})") from error


def _append(blocks: Iterator[bytes], start: int, part: Path) -> None:
    try:
        with part.open("r+b" if start else "wb") as out:
            out.seek(start)
            for block in blocks:
                out.write(block)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StorageError(f"can't write {part}: {error.strerror}; nothing was kept") from error


def _shown(blocks: Iterator[bytes], file: SourceFile, start: int) -> Iterator[bytes]:
    """Pass the blocks on, with a progress bar on a terminal and now and then a line in the log.

    Raises WrongFile as soon as there are more bytes than the file has.
    """
    done = start
    with tqdm(total=file.bytes, initial=start, desc=file.name, unit="B", unit_scale=True,
              disable=None) as bar:  # fmt: skip
        for block in blocks:
            bar.update(len(block))
            done += len(block)
            if done > file.bytes:
                raise WrongFile(f"has more than {file.bytes} bytes")
            if done // LOG_BYTES > (done - len(block)) // LOG_BYTES:
                logger.info("%s: %.0f of %.0f MB", file.name, done / 1e6, file.bytes / 1e6)
            yield block


def _root_cause(error: BaseException) -> BaseException:
    while error.__context__ is not None:
        error = error.__context__
    return error
