"""Shell code of pages, as far as tests have to understand it."""

import re
import shlex
from collections.abc import Iterator

_REDIRECTION = re.compile(r"&?[<>]+&?")
_SEPARATOR = re.compile(r"[();<>|&]+")


def lines(code: str) -> Iterator[str]:
    """Yield the whole lines of shell code: those that a backslash or a quotation continues are one."""
    whole = ""
    for line in code.splitlines(keepends=True):
        whole += line
        if not line.endswith("\\\n") and _is_complete(whole):
            yield whole
            whole = ""
    if whole:
        yield whole


def commands(code: str) -> Iterator[list[str]]:
    """Yield the words of each command, without redirections and variables before it."""
    for line in lines(code):
        # What isn't complete is no code but a piece of it, as it stands in sentences.
        if not _is_complete(line):
            continue
        lexer = shlex.shlex(line.replace("\\\n", " "), posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        command: list[str] = []
        words = iter([*lexer, ";"])
        for word in words:
            if _REDIRECTION.fullmatch(word):
                next(words, None)
            elif _SEPARATOR.fullmatch(word):
                yield command
                command = []
            elif command or not re.match(r"\w+=", word):
                command.append(word)


def _is_complete(text: str) -> bool:
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return False
    return True
