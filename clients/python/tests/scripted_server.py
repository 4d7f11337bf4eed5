"""A server that sends the responses of a test, faulty ones included."""

import contextlib
import functools
import json
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


class ScriptedServer:
    """Sends the next of the given responses to each request, and records the requests."""

    def __init__(self, *responses):
        self.responses = list(responses)
        self.requests = []

    def parameters(self):
        """Those of each request."""
        return [dict(parse_qsl(urlsplit(path).query)) for path, _ in self.requests]

    def header(self, name):
        """That of each request; None of one without it."""
        return [headers.get(name) for _, headers in self.requests]

    def __enter__(self):
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_GET(self):
                script.requests.append((self.path, dict(self.headers.items())))
                send = script.responses.pop(0)
                # The client may disconnect before the response is complete.
                with contextlib.suppress(OSError):
                    send(self)
                self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self.server.server_address[1]}'
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def respond(status=200, body=b'', cut_at=None, **headers):
    """A response with the whole body, or cut off after `cut_at` bytes."""

    def send(handler):
        _send_head(handler, status, Content_Length=str(len(body)), **headers)
        handler.wfile.write(body[:cut_at])

    return send


def send_endlessly(chunk, status=200, **headers):
    """A response that ends only with its client, or after 256 MiB, which no client should read."""

    def send(handler):
        _send_head(handler, status, **headers)
        send.sent = 0
        while send.sent < 256 << 20:
            handler.wfile.write(chunk)
            send.sent += len(chunk)

    return send


def _send_head(handler, status, **headers):
    handler.send_response_only(status)
    for name, value in {'Connection': 'close', **headers}.items():
        handler.send_header(name.replace('_', '-'), value)
    handler.end_headers()


@functools.lru_cache(maxsize=None)
def deflate_zeros():
    """A small body that inflates to 128 MiB."""
    deflater = zlib.compressobj(1, zlib.DEFLATED, 31)
    return b''.join([*(deflater.compress(bytes(1 << 20)) for _ in range(128)), deflater.flush()])


def ok(data=(), **headers):
    return respond(200, json.dumps({'status': 'ok', 'data': data}).encode(), **headers)


def error(status, message, **headers):
    return respond(status, json.dumps({'status': 'error', 'message': message}).encode(), **headers)


def hang_up(handler):
    """Closes the connection without a response."""
    handler.connection.close()
