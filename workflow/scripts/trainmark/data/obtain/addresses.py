"""Opening an address: a path, a file URL, or a file on a web server."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

import requests
import urllib3

from trainmark.data.obtain.checked_file import SourceFile, WrongFile, check_size
from trainmark.errors import TrainmarkError
from trainmark.study.mirrors import local_path

BLOCK_BYTES = 2**16
SLOWEST_BYTES_PER_SECOND = 1000
"""A server that sends less, within the time after which a silent one has failed, has failed too."""
LONGEST_ANSWER = 4
"""The time that an answer's headers may take, redirects included, in times of the silence."""
PASSING_STATUSES = {408, 425, 429, 500, 502, 503, 504}
USER = re.compile(r"(?<=//)[^/\s]+@")
"""User and password in an address, which messages and logs leave out: they are published."""

Opened = tuple[int, Iterator[bytes]]
"""The byte that the content starts with, and the content in blocks."""


class DownloadError(TrainmarkError):
    """A file that can't be had, or not from this address."""


class PassingError(DownloadError):
    """A failure that may be over after a pause."""


def opened(
    address: str, file: SourceFile, offset: int, silence_seconds: float
) -> AbstractContextManager[Opened]:
    """Open `file` at an address, from byte `offset` on if that can be had, else from 0 on.

    Raises WrongFile where there is a file of another size, DownloadError where there is none.
    """
    path = local_path(address)
    return _local(path, file) if path else _remote(address, file, offset, silence_seconds)


@contextmanager
def _local(path: Path, file: SourceFile) -> Iterator[Opened]:
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
    address: str, file: SourceFile, offset: int, silence_seconds: float
) -> Iterator[Opened]:
    with _answer(address, offset, silence_seconds) as response:
        start = _start(response, offset)
        announced = response.headers.get("Content-Length", "")
        is_known = announced.isdecimal() and file.bytes is not None
        if is_known and start + int(announced) != file.bytes:
            raise WrongFile(f"would have {start + int(announced)} bytes instead of {file.bytes}")
        yield start, _received(response, silence_seconds)


def _answer(address: str, offset: int, silence_seconds: float) -> requests.Response:
    headers = {"Accept-Encoding": "identity"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
    ask = partial(requests.get, address, headers=headers, stream=True, timeout=silence_seconds)
    try:
        response = _within(LONGEST_ANSWER * silence_seconds, ask)
    except (requests.ConnectionError, requests.Timeout) as error:
        raise PassingError(f"can't be reached ({_root_cause(error)})") from error
    except requests.RequestException as error:
        raise DownloadError(f"can't be asked ({error})") from error
    if response.status_code not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
        response.close()
        kind = PassingError if response.status_code in PASSING_STATUSES else DownloadError
        raise kind(f"answers {response.status_code} {response.reason}")
    return response


def _within(seconds: float, ask: Callable[[], requests.Response]) -> requests.Response:
    """The answer to a question, in a thread: each byte of a header starts a socket's timeout anew.

    Raises PassingError where it takes longer, and what the question raises.
    """
    answer = Future[requests.Response]()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:  # which `result` raises
            answer.set_exception(error)

    threading.Thread(target=wait, daemon=True).start()
    try:
        return answer.result(seconds)
    except TimeoutError as error:
        raise PassingError(f"has not answered within {seconds:.0f} s") from error


def _start(response: requests.Response, offset: int) -> int:
    """The byte with which the answer starts: 0 where the server doesn't know ranges."""
    if response.status_code == HTTPStatus.OK:
        return 0
    content_range = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if content_range is None:
        raise DownloadError("answers with a part of the file without saying which")
    if int(content_range[1]) != offset:
        raise DownloadError("answers with another part of the file than was asked for")
    return offset


def _received(response: requests.Response, silence_seconds: float) -> Iterator[bytes]:
    began, received = time.monotonic(), 0
    for block in _blocks(response):
        yield block
        received += len(block)
        seconds = time.monotonic() - began
        if seconds > silence_seconds:
            if received < SLOWEST_BYTES_PER_SECOND * seconds:
                raise PassingError(f"sends {received / seconds:.0f} bytes a second")
            began, received = time.monotonic(), 0


def _blocks(response: requests.Response) -> Iterator[bytes]:
    """The content as it arrives, in blocks of any size."""
    try:
        while block := response.raw.read1(BLOCK_BYTES, decode_content=False):
            yield block
    except urllib3.exceptions.HTTPError as error:
        raise PassingError(f"broke off ({error})") from error


def _root_cause(error: BaseException) -> BaseException:
    while error.__context__ is not None:
        error = error.__context__
    return error
