"""Files of house rules."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from solver.errors import InputError


def read_rule_file(path: Path, known: Collection[str]) -> dict[str, Any]:
    """The keys and values of a TOML file.

    Args:
        path: of the file.
        known: the keys that it may have.

    Raises:
        InputError: the file can't be read, is no TOML, or has another key.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML: {error}") from error
    except ValueError as error:
        raise InputError(f"{str(path)!r}: {error}") from error
    for key in document:
        if key not in known:
            raise InputError(f"{path}: {key}: no such key; known are {', '.join(known)}")
    return document
