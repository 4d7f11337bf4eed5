"""Files that are replaced as a whole."""

from __future__ import annotations

import contextlib
import glob
import os
import time
import uuid
from pathlib import Path
from typing import BinaryIO, Iterator

MAX_PART_AGE = 24 * 60 * 60.0


@contextlib.contextmanager
def replace_file(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of another one when it is complete, and is removed otherwise."""
    part = create_part_path(path)
    try:
        with open(part, 'wb') as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def create_part_path(path: Path) -> Path:
    """A name in the folder of a file that no other call uses, for what is to take its place.

    A process that was killed leaves its part; it is removed a day later.
    """
    for part in path.parent.glob(f'{glob.escape(path.name)}.*.part'):
        with contextlib.suppress(OSError):
            if time.time() - part.stat().st_mtime > MAX_PART_AGE:
                part.unlink()
    return path.with_name(f'{path.name}.{uuid.uuid4().hex}.part')
