# Made by npm run docs from tenor_client/_async. Changes here are lost.
"""Requests with the token, retries and a cache."""

from __future__ import annotations

import time
import contextlib
import functools
import random
import ssl
import urllib.parse
from typing import Any, BinaryIO, Dict, Iterator, Mapping, Optional, Tuple

import httpx

from ..cache import ResponseCache
from ..errors import NetworkError, TenorError, UnexpectedResponseError
from ..http_response import (
    Response,
    classify_error,
    get_origin,
    has_type,
    parse_integer,
    parse_json,
    parse_retry_after,
    seek_to_range,
    strong_etag,
)
from ..secret import Secret
from ..version import __version__

MAX_BODY = 64 << 20
MAX_ERROR = 1 << 20
MAX_EVENT = 4 << 20
RETRIED_STATUSES = frozenset({429, 502, 503, 504})


class Connection:
    """Sends requests to one service; only this class holds the token."""

    def __init__(
        self,
        base_url: str,
        secret: Secret,
        *,
        timeout: float,
        retries: int,
        longest_wait: float,
        cache_bytes: int,
    ) -> None:
        self.base_url = base_url
        self._secret = secret
        self._retries = retries
        self._longest_wait = longest_wait
        self._cache = ResponseCache(cache_bytes)
        self._newest = 0
        self._timeout = timeout
        self._client = httpx.Client(
            # More requests than connections wait for one, however long that takes.
            timeout=httpx.Timeout(timeout, pool=None),
            verify=load_certificates(),
            headers={'User-Agent': f'tenor-client-python/{__version__}'},
        )

    def close(self) -> None:
        self._client.close()

    def read_data(self, url: str, headers: Mapping[str, str]) -> Tuple[Any, Response]:
        """The data of a success and its response; raises the error of any other response."""
        response = self._revalidate(url, {'Accept': 'application/json', **headers})
        body = parse_json(response)
        if response.status == 200 and isinstance(body, dict) and body.get('status') == 'ok':
            return body.get('data'), response
        raise self._error(response)

    def _revalidate(self, url: str, headers: Mapping[str, str]) -> Response:
        key = (url, *sorted(headers.items()))
        known = self._cache.get(key)
        condition = {'If-None-Match': known.headers['etag']} if known else {}
        response = self._read(url, {**headers, **condition, 'Accept-Encoding': 'gzip'})
        if known and response.status == 304:
            # The headers that describe the body stay those of the cached body.
            newer = {k: v for k, v in response.headers.items() if not k.startswith('content-')}
            return known._replace(headers={**known.headers, **newer}, cached=True)
        if response.status == 200 and 'etag' in response.headers:
            self._cache.put(key, response)
        return response

    def _read(self, url: str, headers: Mapping[str, str]) -> Response:
        failures = 0
        while True:
            try:
                with self._open(url, headers) as (head, response):
                    whole = head._replace(body=read_bounded(head, response))
                if whole.status not in RETRIED_STATUSES:
                    return whole
                raise self._error(whole)
            except TenorError as error:
                self._wait(failures, error)
            failures += 1

    def download(self, url: str, headers: Mapping[str, str], file: BinaryIO) -> Response:
        """Writes a body in the format of `Accept` to a file; raises the error of any other response.

        Resumes after an interruption if the ETag is still the same.
        """
        failures = 0
        etag: Optional[str] = None
        while True:
            before = file.tell()
            # A compressed body would have other byte ranges.
            sent = {**headers, 'Accept-Encoding': 'identity'}
            if before > 0 and etag:
                sent.update({'Range': f'bytes={before}-', 'If-Range': etag})
            try:
                with self._open(url, sent) as (head, response):
                    self._require(head, response, headers['Accept'], (200, 206))
                    seek_to_range(head, file)
                    etag = strong_etag(head.headers.get('etag'))
                    for chunk in response.iter_raw():
                        file.write(chunk)
                    return head
            except TenorError as failure:
                error = failure
            if error.status == 416:
                etag = None
            if file.tell() > before:
                failures = 0
            self._wait(failures, error)
            failures += 1

    @contextlib.contextmanager
    def stream_lines(
        self, url: str, headers: Mapping[str, str], timeout: float
    ) -> Iterator[Tuple[Response, Iterator[str]]]:
        """The lines of a response as they come, without retries."""
        # A stream may go back in time: the database may have been replaced.
        sent = {**headers, 'Accept-Encoding': 'identity'}
        with self._open(url, sent, timeout, sends_revision=False) as (head, response):
            self._require(head, response, headers['Accept'], (200,))
            yield head, split_lines(head, response)

    @contextlib.contextmanager
    def _open(
        self,
        url: str,
        headers: Mapping[str, str],
        timeout: Optional[float] = None,
        *,
        sends_revision: bool = True,
    ) -> Iterator[Tuple[Response, httpx.Response]]:
        # The token must not be sent to another host, whatever a response says.
        if get_origin(url) != get_origin(self.base_url):
            raise UnexpectedResponseError(f'{get_origin(url)} is another host than {self.base_url}')
        sent: Dict[str, str] = {**headers, 'Authorization': f'Bearer {self._secret.reveal()}'}
        if self._newest and sends_revision:
            sent['Tenor-Revision'] = str(self._newest)
        limit = httpx.Timeout(timeout or self._timeout, pool=None)
        try:
            with self._client.stream('GET', url, headers=sent, timeout=limit) as response:
                head = Response(response.status_code, url, dict(response.headers), b'')
                if sends_revision:
                    self._observe(head)
                yield head, response
        except httpx.DecodingError as cause:
            message = f'a body that cannot be decompressed: {cause}'
            raise UnexpectedResponseError(message, path=get_path(url)) from cause
        except httpx.HTTPError as cause:
            message = f'no complete response: {cause or type(cause).__name__}'
            raise NetworkError(message, path=get_path(url)) from cause

    def _observe(self, response: Response) -> None:
        """No later response is older: a machine that has not got the revision yet waits for it."""
        revision = parse_integer(response.headers.get('tenor-revision')) or 0
        self._newest = max(self._newest, revision)

    def forget_revision(self) -> None:
        """Accepts responses that are older than others: the database was replaced."""
        self._newest = 0

    def _require(
        self, head: Response, response: httpx.Response, media_type: str, statuses: Tuple[int, ...]
    ) -> None:
        # An error may have status 200; it is JSON in any format.
        if head.status not in statuses or not has_type(head, media_type):
            raise self._error(head._replace(body=read_bounded(head, response)))

    def _error(self, response: Response) -> TenorError:
        """The error of a response, without the token, which a proxy may have echoed."""
        kind, message = classify_error(response)
        return kind(
            message.replace(self._secret.reveal(), '<secret>'),
            status=response.status,
            path=response.path,
            request_id=response.headers.get('x-request-id'),
            retry_after=parse_retry_after(response.headers),
        )

    def _wait(self, failures: int, error: TenorError) -> None:
        """Sleeps before the next attempt, or raises the error if there is none."""
        required = error.retry_after or 0.0
        if failures >= self._retries or required > self._longest_wait or not is_temporary(error):
            raise error
        backoff = min(0.5 * 2.0**failures, 10.0) * random.uniform(0.5, 1.0)
        time.sleep(min(max(required, backoff), self._longest_wait))


def read_bounded(head: Response, response: httpx.Response) -> bytes:
    """A body that can be held in memory, whatever it says of its size, and inflated."""
    name, most = ('an error', MAX_ERROR) if head.status >= 300 else ('a response', MAX_BODY)
    parts = []
    size = 0
    for chunk in response.iter_bytes():
        parts.append(chunk)
        size += len(chunk)
        if size > most:
            message = f'{name} can have {most:,} bytes at most, and {head.url} sends more'
            raise UnexpectedResponseError(message)
    return b''.join(parts)


def split_lines(head: Response, response: httpx.Response) -> Iterator[str]:
    tail = b''
    for chunk in response.iter_bytes():
        *lines, tail = (tail + chunk).split(b'\n')
        if len(tail) > MAX_EVENT:
            raise UnexpectedResponseError(f'{head.url} sends an event without end')
        for line in lines:
            yield line.decode('utf-8', 'replace').rstrip('\r')


@functools.lru_cache(maxsize=None)
def load_certificates() -> ssl.SSLContext:
    """The certificates of the system, or those of SSL_CERT_FILE; loading them takes a while."""
    return ssl.create_default_context()


def is_temporary(error: TenorError) -> bool:
    """Whether a retry may succeed. An invalid certificate stays invalid."""
    if not isinstance(error, NetworkError):
        # After an unsatisfiable range the next attempt requests the whole file.
        return error.status in RETRIED_STATUSES or error.status == 416
    cause: Optional[BaseException] = error
    while cause and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__ or cause.__context__
    return cause is None


def get_path(url: str) -> str:
    return urllib.parse.urlsplit(url).path
