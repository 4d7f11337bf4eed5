"""A server that answers as a test tells it to, however badly."""

import contextlib
import http.client
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Moody:
    """Answers each request with the next of the given replies, and remembers the requests."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []

    def __enter__(self):
        moody = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_GET(self):
                moody.requests.append((self.path, dict(self.headers.items())))
                reply = moody.replies.pop(0)
                # The one who asks may be gone before it is all said.
                with contextlib.suppress(OSError):
                    reply(self)
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


def says(status=200, body=b'', cut_at=None, **headers):
    """A reply with a body, or only with the beginning of one."""

    def reply(handler):
        handler.send_response_only(status)
        for name, value in headers.items():
            handler.send_header(name.replace('_', '-'), value)
        handler.send_header('Content-Length', str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:cut_at])

    return reply


def ok(data=(), **headers):
    return says(200, json.dumps({'status': 'ok', 'data': data}).encode(), **headers)


def refused(status, message, **headers):
    return says(status, json.dumps({'status': 'error', 'message': message}).encode(), **headers)


def forwards(address, cut_at=None):
    """What the service at that address says, or only the beginning of it."""

    def reply(handler):
        service = http.client.HTTPConnection(address.split('//')[1])
        headers = {name: value for name, value in handler.headers.items() if name != 'Host'}
        service.request('GET', handler.path, headers=headers)
        response = service.getresponse()
        names = ('ETag', 'Content-Range', 'Tenor-Revision')
        told = {name: response.headers[name] for name in names if name in response.headers}
        says(response.status, response.read(), cut_at, **told)(handler)
        service.close()

    return reply


def hangs_up(handler):
    """Closes the connection without a word."""
    handler.connection.close()
