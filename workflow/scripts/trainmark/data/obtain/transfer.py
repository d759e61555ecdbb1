"""Transfer of one file from one address into a partial file, resumed after an interruption.

The checksum of the whole is known beforehand, so a partial file may be continued from any mirror:
should the pieces not fit together (the file changed, a mirror is wrong), it is fetched afresh.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tenacity
from tqdm import tqdm

from trainmark.data.obtain.addresses import USER, PassingError, opened
from trainmark.data.obtain.checked_file import SourceFile, WrongFile, check, is_right
from trainmark.data.obtain.storage import StorageError

LOG_BYTES = 2**25
MOST_UNCHECKED_BYTES = 2**30
"""The most that is taken of a file whose size isn't known."""
LONGEST_PAUSE_SECONDS = 60

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Retries:
    """How often to retry an address that fails temporarily, and how long to wait for an answer.

    The pause before asking again doubles from time to time; a silent server has failed.
    """

    attempts: int = 4
    pause_seconds: float = 1.0
    silence_seconds: float = 60.0


def transfer(file: SourceFile, address: str, part: Path, retries: Retries) -> None:
    """Bring `file` from `address` into `part`, whole and checked.

    Raises WrongFile, DownloadError or StorageError; `part` then holds nothing but bytes to go on
    from.
    """
    attempt = tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(PassingError),
        stop=tenacity.stop_after_attempt(retries.attempts),
        wait=tenacity.wait_exponential(retries.pause_seconds, max=LONGEST_PAUSE_SECONDS),
        before_sleep=tenacity.before_sleep_log(logger, logging.WARNING),
        reraise=True,
    )
    resumed = attempt(_continue, file, address, part, retries.silence_seconds)
    if resumed and not is_right(part, file):
        shown = USER.sub("", address)
        logger.warning("%s: the pieces don't fit together, fetching it afresh", shown)
        part.unlink()
        attempt(_continue, file, address, part, retries.silence_seconds)
    try:
        check(part, file)
    except WrongFile:
        part.unlink()
        raise


def _continue(file: SourceFile, address: str, part: Path, silence_seconds: float) -> bool:
    """Fetch what `part` lacks; true if it holds bytes of an earlier attempt.

    A file whose size isn't known is fetched afresh.
    """
    offset = part.stat().st_size if part.exists() else 0
    if offset == file.bytes:
        return True
    if file.bytes is None or offset > file.bytes:
        offset = 0
    shown = USER.sub("", address)
    logger.info("fetching %s (%s) from byte %d on", shown, file.size_in_words, offset)
    with opened(address, file, offset, silence_seconds) as (start, blocks):
        _append(_shown(blocks, file, start), start, part)
    if file.bytes is not None and part.stat().st_size < file.bytes:
        raise PassingError(f"broke off after {part.stat().st_size} of {file.bytes} bytes")
    return start > 0


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

    Stops behind the end of the file, should a server go on and on.
    """
    done = start
    bar = tqdm(
        total=file.bytes, initial=start, desc=file.name, unit="B", unit_scale=True, disable=None
    )
    with bar:
        for block in blocks:
            yield block
            bar.update(len(block))
            done += len(block)
            if done // LOG_BYTES > (done - len(block)) // LOG_BYTES:
                logger.info("%s: %.0f MB (%s)", file.name, done / 1e6, file.size_in_words)
            if done > (file.bytes or MOST_UNCHECKED_BYTES):
                break
