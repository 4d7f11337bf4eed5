"""Requests with the token, retries and a cache."""

from __future__ import annotations

import contextlib
import copy
import http.client
import io
import os
import random
import re
import socket
import ssl
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections import OrderedDict
from typing import Any, BinaryIO, Callable, Iterator, Mapping, Optional, Tuple, TypeVar

from .errors import NetworkError, TenorError, UnexpectedResponseError
from .http_response import (
    Response,
    classify_error,
    decode_body,
    get_origin,
    lower_names,
    parse_integer,
    parse_json,
    parse_retry_after,
)
from .limits import CHUNK, MAX_LINE, find_limit, require_bounded
from .version import __version__

T = TypeVar('T')
MAX_EVENT = 4 << 20
RETRIED_STATUSES = frozenset({429, 502, 503, 504})


class Connection:
    """Sends requests to one service; only this class holds the token."""

    def __init__(
        self,
        base_url: str,
        secret: Optional[Secret],
        *,
        timeout: float,
        retries: int,
        longest_wait: float,
        cache_bytes: int,
    ) -> None:
        self.base_url = base_url
        self._secret = secret
        self._timeout = timeout
        self._retries = retries
        self._longest_wait = longest_wait
        self._cache = ResponseCache(cache_bytes)
        self._newest = 0
        # Only a token must not be sent elsewhere.
        self._opener = urllib.request.build_opener(NoRedirects if secret else Redirects)

    def read_data(self, url: str, headers: Mapping[str, str]) -> Tuple[Any, Response]:
        """The data of a success and its response; raises the error of any other response."""
        response = self._get(url, headers)
        body = parse_json(response)
        if response.status == 200 and isinstance(body, dict) and body.get('status') == 'ok':
            return body.get('data'), response
        raise self._error(response)

    def read_body(self, url: str, headers: Mapping[str, str]) -> Response:
        """A body in the format of `Accept`; raises the error of any other response."""
        response = self._send_with_retry(url, {**headers, 'Accept-Encoding': 'gzip'})
        if response.status == 200 and has_type(response, headers['Accept']):
            return response._replace(body=decode_body(response))
        raise self._error(response)

    def read_file(self, url: str) -> Response:
        """A response of any status and type."""
        response = self._send_with_retry(url, {'Accept-Encoding': 'gzip'})
        return response._replace(body=decode_body(response))

    def _get(self, url: str, headers: Mapping[str, str]) -> Response:
        """Gets a response, revalidating a cached one."""
        key = (url, *sorted(headers.items()))
        cached_response = self._cache.get(key)
        sent_headers = {**headers, 'Accept-Encoding': 'gzip'}
        if cached_response:
            sent_headers['If-None-Match'] = cached_response.headers['etag']
        response = self._send_with_retry(url, sent_headers)
        if cached_response and response.status == 304:
            # The headers that describe the body stay those of the cached body.
            newer = {k: v for k, v in response.headers.items() if not k.startswith('content-')}
            merged = {**cached_response.headers, **newer}
            return cached_response._replace(headers=merged, cached=True)
        if response.status == 200 and 'etag' in response.headers:
            self._cache.put(key, response)
        return response

    def download(self, url: str, headers: Mapping[str, str], file: BinaryIO) -> Response:
        """Writes a body in the format of `Accept` to a file; raises the error of any other response.

        Resumes after an interruption if the ETag is still the same.
        """
        failures = 0
        etag: Optional[str] = None
        while True:
            before = file.tell()
            # A compressed body would have other byte ranges.
            sent_headers = {**headers, 'Accept-Encoding': 'identity'}
            if before > 0 and etag:
                sent_headers.update({'Range': f'bytes={before}-', 'If-Range': etag})
            try:
                with self._open(url, sent_headers) as response:
                    head = Response(response.status, url, lower_names(response.headers), b'')
                    self._observe(head)
                    # An error may have status 200; it is JSON in any format.
                    if head.status not in (200, 206) or not has_type(head, headers['Accept']):
                        raise self._error(head._replace(body=read_bounded(response, url)))
                    seek_to_range(head, file)
                    etag = strong_etag(head.headers.get('etag'))
                    if copy_body(response, url, file) >= content_length(head):
                        return head
                    raise NetworkError('the download was interrupted', path=head.path)
            except TenorError as failure:
                error = failure
            if error.status == 416:
                etag = None
            if file.tell() > before:
                failures = 0
            self._wait(failures, error)
            failures += 1

    def read_lines(
        self, url: str, headers: Mapping[str, str], read: Callable[[Response, Iterator[bytes]], T]
    ) -> T:
        """What is made of the lines of a response as they come; again if it is interrupted."""
        failures = 0
        while True:
            try:
                with self._open(url, {**headers, 'Accept-Encoding': 'identity'}) as response:
                    head = Response(response.status, url, lower_names(response.headers), b'')
                    self._observe(head)
                    is_typed = 'Accept' not in headers or has_type(head, headers['Accept'])
                    if head.status != 200 or not is_typed:
                        raise self._error(head._replace(body=read_bounded(response, url)))
                    return read(head, split_lines(read_chunks(head, response), url))
            except TenorError as failure:
                error = failure
            self._wait(failures, error)
            failures += 1

    def open_lines(self, url: str, headers: Mapping[str, str], timeout: float) -> LineStream:
        """The lines of a response as they come, without retries."""
        # A stream may go back in time: the database may have been replaced.
        http_response = self._open(url, headers, timeout, sends_revision=False)
        head = Response(http_response.status, url, lower_names(http_response.headers), b'')
        if head.status == 200 and has_type(head, headers['Accept']):
            return LineStream(head, http_response)
        with http_response:
            raise self._error(head._replace(body=read_bounded(http_response, url)))

    def forget_revision(self) -> None:
        """Accepts responses that are older than others: the database was replaced."""
        self._newest = 0

    def without_seen_revision(self) -> Connection:
        """The same connection, which accepts older responses than this one has seen."""
        connection = copy.copy(self)
        connection.forget_revision()
        return connection

    def _send_with_retry(self, url: str, headers: Mapping[str, str]) -> Response:
        failures = 0
        while True:
            try:
                with self._open(url, headers) as http_response:
                    lowered = lower_names(http_response.headers)
                    body = read_bounded(http_response, url)
                    response = Response(http_response.status, url, lowered, body)
                self._observe(response)
                if response.status not in RETRIED_STATUSES:
                    return response
                error = self._error(response)
            except NetworkError as failure:
                error = failure
            self._wait(failures, error)
            failures += 1

    def _observe(self, response: Response) -> None:
        """No later response is older: a machine that has not got the revision yet waits for it."""
        revision = parse_integer(response.headers.get('tenor-revision')) or 0
        self._newest = max(self._newest, revision)

    def _open(
        self,
        url: str,
        headers: Mapping[str, str],
        timeout: Optional[float] = None,
        *,
        sends_revision: bool = True,
    ) -> http.client.HTTPResponse:
        # The token must not be sent to another host, whatever a response says.
        if get_origin(url) != get_origin(self.base_url):
            raise UnexpectedResponseError(f'{get_origin(url)} is another host than {self.base_url}')
        request = urllib.request.Request(
            url,
            headers={
                **headers,
                **({'Tenor-Revision': str(self._newest)} if self._newest and sends_revision else {}),
                **({'Authorization': f'Bearer {self._secret.reveal()}'} if self._secret else {}),
                'User-Agent': f'tenor-client-python/{__version__}',
            },
        )
        try:
            response: http.client.HTTPResponse = self._opener.open(
                request, timeout=timeout or self._timeout
            )
        except (OSError, http.client.HTTPException) as cause:
            raise network_error(url, cause) from cause
        return response

    def _error(self, response: Response) -> TenorError:
        """The error of a response, without the token, which a proxy may have echoed."""
        kind, message = classify_error(response)
        return kind(
            message.replace(self._secret.reveal(), '<secret>') if self._secret else message,
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


class ResponseCache:
    """An LRU cache of responses by request."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._responses: OrderedDict[Tuple[object, ...], Response] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Tuple[object, ...]) -> Optional[Response]:
        with self._lock:
            if key in self._responses:
                self._responses.move_to_end(key)
            return self._responses.get(key)

    def put(self, key: Tuple[object, ...], response: Response) -> None:
        with self._lock:
            previous = self._responses.pop(key, None)
            self._bytes -= len(previous.body) if previous else 0
            self._responses[key] = response
            self._bytes += len(response.body)
            while self._bytes > self._max_bytes:
                _, oldest = self._responses.popitem(last=False)
                self._bytes -= len(oldest.body)


class Secret:
    """A text that is hidden in representations."""

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return '<secret>'


class NoRedirects(urllib.request.HTTPErrorProcessor):
    """Returns every response, so that no redirect is followed."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class Redirects(NoRedirects):
    """Follows redirects, and returns every other response."""

    def http_response(self, request: Any, response: Any) -> Any:
        if not 300 <= response.status < 400:
            return response
        # Whoever follows it would read its body, however long that is.
        response.close()
        headers = response.headers
        return self.parent.error(
            'http', request, io.BytesIO(), response.status, response.reason, headers
        )

    https_response = http_response


def parse_base_url(text: str, name: str = 'base_url (or TENOR_URL)') -> str:
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ('http', 'https') or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f'{name} must be like http://127.0.0.1:8080')
    if parts.username is not None or parts.password is not None:
        raise ValueError('base_url must not contain a user or password; pass the token as token')
    return text.rstrip('/')


def parse_token(text: str) -> Secret:
    # Checked here, because the error of http.client would contain the whole header.
    if not re.fullmatch(r'[!-~]+', text.strip()):
        raise ValueError('token (or TENOR_TOKEN) must be one word of visible ASCII characters')
    return Secret(text.strip())


def network_error(url: str, cause: Exception) -> NetworkError:
    reason = getattr(cause, 'reason', None) or cause
    text = str(reason) or type(reason).__name__
    return NetworkError(f'no complete response: {text}', path=urllib.parse.urlsplit(url).path)


def is_temporary(error: TenorError) -> bool:
    """Whether a retry may succeed. An invalid certificate stays invalid."""
    reason = getattr(error.__cause__, 'reason', error.__cause__)
    if isinstance(error, NetworkError):
        return not isinstance(reason, ssl.SSLCertVerificationError)
    # After an unsatisfiable range the next attempt requests the whole file.
    return error.status in RETRIED_STATUSES or error.status == 416


def strong_etag(etag: Optional[str]) -> Optional[str]:
    return None if etag is None or etag.startswith('W/') else etag


def seek_to_range(head: Response, file: BinaryIO) -> None:
    """Moves the file position to the start of the range of a response."""
    start = 0
    if head.status == 206:
        range_start = re.match(r'bytes ([0-9]+)-', head.headers.get('content-range', ''))
        start = int(range_start[1]) if range_start else -1
        if start != file.tell():
            raise UnexpectedResponseError('not the requested range', status=206, path=head.path)
    file.seek(start)
    file.truncate()


def copy_body(response: http.client.HTTPResponse, url: str, file: BinaryIO) -> int:
    copied = 0
    while True:
        chunk = read_body(response, url, CHUNK)
        if not chunk:
            return copied
        file.write(chunk)
        copied += len(chunk)


def read_body(response: http.client.HTTPResponse, url: str, size: Optional[int] = None) -> bytes:
    try:
        return response.read(size)
    except (OSError, http.client.HTTPException) as cause:
        raise network_error(url, cause) from cause


def read_bounded(response: http.client.HTTPResponse, url: str) -> bytes:
    """A body that can be held in memory."""
    most = find_limit(url, response.status)[1]
    # Only a body that is read to its end is known to be complete.
    is_small = response.length is not None and response.length <= most
    body = read_body(response, url, None if is_small else most + 1)
    return require_bounded(body, url, response.status)


def read_chunks(head: Response, response: http.client.HTTPResponse) -> Iterator[bytes]:
    """A body in parts, each inflated to a bounded size."""
    is_compressed = head.headers.get('content-encoding') == 'gzip'
    inflater = zlib.decompressobj(31) if is_compressed else None
    received = 0
    while True:
        chunk = read_body(response, head.url, CHUNK)
        if not chunk:
            break
        received += len(chunk)
        if inflater is None:
            yield chunk
        while inflater and chunk:
            yield inflater.decompress(chunk, CHUNK)
            chunk = inflater.unconsumed_tail
    if received < content_length(head):
        raise NetworkError('the response was interrupted', path=head.path)


def split_lines(chunks: Iterator[bytes], url: str) -> Iterator[bytes]:
    tail = bytearray()
    for chunk in chunks:
        end, *lines = chunk.split(b'\n')
        tail += end
        if len(tail) > MAX_LINE:
            message = f'a line of records can have {MAX_LINE:,} bytes at most, and {url} sends more'
            raise UnexpectedResponseError(message)
        if lines:
            yield from filter(None, (bytes(tail), *lines[:-1]))
            tail = bytearray(lines[-1])
    if tail:
        yield bytes(tail)


def content_length(head: Response) -> int:
    return parse_integer(head.headers.get('content-length')) or 0


def has_type(response: Response, media_type: str) -> bool:
    content_type = response.headers.get('content-type', '')
    return content_type.partition(';')[0].strip().lower() == media_type


class LineStream:
    """The lines of a response as they come."""

    def __init__(self, head: Response, response: http.client.HTTPResponse) -> None:
        self.head = head
        self._response = response

    def read(self) -> Iterator[str]:
        with self._response:
            try:
                for line in iter(lambda: self._response.readline(MAX_EVENT + 1), b''):
                    if len(line) > MAX_EVENT:
                        raise UnexpectedResponseError(f'{self.head.url} sends an event without end')
                    yield line.decode().rstrip('\r\n')
            except (OSError, ValueError, http.client.HTTPException) as cause:
                raise network_error(self.head.url, cause) from cause

    def close(self) -> None:
        """Ends the reading of another thread, which would wait for the next line otherwise."""
        with contextlib.suppress(OSError, ValueError):
            with socket.socket(fileno=os.dup(self._response.fileno())) as connection:
                connection.shutdown(socket.SHUT_RDWR)
