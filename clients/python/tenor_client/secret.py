"""The address of a service, and its token."""

from __future__ import annotations

import re
import urllib.parse


class Secret:
    """A text that is hidden in representations."""

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return '<secret>'


def parse_base_url(text: str) -> str:
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ('http', 'https') or not parts.hostname or parts.query or parts.fragment:
        raise ValueError('base_url (or TENOR_URL) must be like http://127.0.0.1:8080')
    if parts.username is not None or parts.password is not None:
        raise ValueError('base_url must not contain a user or password; pass the token as token')
    return text.rstrip('/')


def parse_token(text: str) -> Secret:
    # Checked here, because an error of the HTTP library would contain the whole header.
    if not re.fullmatch(r'[!-~]+', text.strip()):
        raise ValueError('token (or TENOR_TOKEN) must be one word of visible ASCII characters')
    return Secret(text.strip())
