"""A server that sends the responses of a test, faulty ones included."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from tenor_client import Tenor

TOKEN = 'tenor_a-secret-that-no-one-shall-see'


class ScriptedServer:
    """Sends the next of the given responses to each request of `tenor`, and records the requests."""

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
        self.tenor = Tenor(self.url, TOKEN)
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
    """A response that ends only with its client, or after 4,096 chunks."""

    def send(handler):
        _send_head(handler, status, **headers)
        handler.wfile.writelines(chunk for _ in range(4_096))

    return send


def _send_head(handler, status, **headers):
    handler.send_response_only(status)
    for name, value in {'Connection': 'close', **headers}.items():
        handler.send_header(name.replace('_', '-'), value)
    handler.end_headers()


def ok(data=(), **headers):
    return respond(200, json.dumps({'status': 'ok', 'data': data}).encode(), **headers)


def error(status, message, **headers):
    return respond(status, json.dumps({'status': 'error', 'message': message}).encode(), **headers)


def hang_up(handler):
    """Closes the connection without a response."""
    handler.connection.close()
