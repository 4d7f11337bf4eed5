"""Verification of Ed25519 signatures, by RFC 8032.

It takes a few milliseconds, and is not for signing: its time depends on its numbers.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Optional

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
"""The number of points that the base point generates."""
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)


class Point(NamedTuple):
    """A point of the curve: its coordinates are x/z and y/z, and t is their product times z."""

    x: int
    y: int
    z: int
    t: int


NEUTRAL = Point(0, 1, 1, 0)


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 bytes is of a message and a key of 32 bytes.

    Numbers and points must be written as RFC 8032 writes them; others of the same value are not
    accepted, so that nobody can make a second signature of a first one.
    """
    key = decode_point(public_key)
    factor = int.from_bytes(signature[32:], 'little')
    if key is None or len(signature) != 64 or factor >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, 'little') % ORDER
    # Points are compared as they are written, so another spelling of the first half is rejected too.
    expected = _add(_multiply(BASE, factor), _multiply(_negate(key), challenge))
    return _encode_point(expected) == signature[:32]


def decode_point(encoded: bytes) -> Optional[Point]:
    """None if the bytes are no point, or one that is written otherwise."""
    number = int.from_bytes(encoded, 'little')
    y, is_odd = number % 2**255, number >> 255
    if len(encoded) != 32 or y >= PRIME:
        return None
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * ROOT_OF_MINUS_ONE % PRIME
    if x * x % PRIME != square or (x == 0 and is_odd):
        return None
    if x % 2 != is_odd:
        x = PRIME - x
    return Point(x, y, 1, x * y % PRIME)


def _encode_point(point: Point) -> bytes:
    inverse = pow(point.z, -1, PRIME)
    x, y = point.x * inverse % PRIME, point.y * inverse % PRIME
    return (y | (x % 2) << 255).to_bytes(32, 'little')


def _add(first: Point, second: Point) -> Point:
    """The sum, also of a point and itself."""
    a = (first.y - first.x) * (second.y - second.x)
    b = (first.y + first.x) * (second.y + second.x)
    c = 2 * CURVE * first.t * second.t
    d = 2 * first.z * second.z
    e, f, g, h = (b - a) % PRIME, (d - c) % PRIME, (d + c) % PRIME, (b + a) % PRIME
    return Point(e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME)


def _multiply(point: Point, factor: int) -> Point:
    result = NEUTRAL
    while factor:
        if factor % 2:
            result = _add(result, point)
        point = _add(point, point)
        factor //= 2
    return result


def _negate(point: Point) -> Point:
    return point._replace(x=-point.x % PRIME, t=-point.t % PRIME)


def _find_base() -> Point:
    point = decode_point((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, 'little'))
    assert point is not None
    return point


BASE = _find_base()
