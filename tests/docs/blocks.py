"""The blocks of code on a page, and the marks before them that say how a test runs them.

A mark is a comment, invisible to readers. `CONTRIBUTING.md` explains the kinds of marks. These
tests keep every command on 30 pages true: no library types commands into one shell, page by page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.docs.pages import FENCES, ROOT, commands, lines

NOT_RUN, RUN_BY, RUN_WITH, SERVES, FILE = "not run", "run by", "run with", "serves", "file"

SHELLS = ("bash", "console", "sh", "shell")
"""The languages of blocks that are for a shell."""

PROGRAMS = {
    **dict.fromkeys(
        ("battlesnake-arena", "battlesnake-gateway", "battlesnake-search", "battlesnake-searcher")
    ),
    **dict.fromkeys(("battlesnake", "cat", "certificates.sh", "export", "mkdir", "pip", "python", "touch")),
    "curl": "curl",
    "go": "golang-go",
    "openssl": "openssl",
}
"""The harmless programs that the test runs, each with the Debian package that has it if it may be missing."""

TARGETS = {"arena", "bench", "help", "install", "run"}
"""The targets of the Makefile that the test runs."""

HOW_TO_MARK = """
Write how the test runs the block into a line directly before it:
  <!-- not run: WHY -->                  for a block that no test can run
  <!-- run by: tests/FOLDER/FILE.py -->  for one that another test runs, with these options
  <!-- run with: NEW for OLD -->         to replace a text in it with one that makes it cheap
  <!-- serves: PORT -->                  if its last command serves at a port until it is ended
  <!-- serves: PORT/PATH -->             the same, if a path there says when it is ready, such as 8000/readyz
  <!-- not run `TEXT`: WHY -->           for the lines with this text alone; so do `run by` and `serves`
Before a block in another language, <!-- file: NAME --> makes a file of it. CONTRIBUTING.md has more on this.
""".strip()

_COMMENT = re.compile(r"<!-- .*-->")
_KINDS = "not run|run by|run with|serves|file"
_MARK = re.compile(rf"<!-- ({_KINDS})(?: `([^`]+)`)?: (\S.*) -->")


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark: its kind, the text of the lines that it is for (None: the whole block), and what it says."""

    kind: str
    part: str | None
    value: str


@dataclass(frozen=True, slots=True)
class Command:
    """Shell code that a test runs; if it serves, its port, with a path that answers when it is ready."""

    code: str
    serves: str | None = None


@dataclass(frozen=True)
class Block:
    """A block of code: its language, its code, the line where it begins, and its comments' lines."""

    language: str
    code: str
    line: int
    comments: tuple[str, ...]

    @cached_property
    def marks(self) -> list[Mark]:
        """The marks before the block."""
        found = (_MARK.fullmatch(comment) for comment in self.comments)
        return [Mark(match[1], match[2], match[3]) for match in found if match]

    @property
    def is_shell(self) -> bool:
        """Whether the block is for a shell."""
        return self.language in SHELLS

    @property
    def file(self) -> str | None:
        """The name of the file that the block is."""
        return next((mark.value for mark in self.marks if mark.kind == FILE), None)

    def commands(self) -> Iterator[Command]:
        """Yield what a test runs of a block for a shell, with its replacements."""
        kept = [line for line in lines(self.code) if not self._says((NOT_RUN, RUN_BY), line)]
        for number, line in enumerate(kept, start=1):
            yield Command(self._replaced(line), self._says((SERVES,), line, is_last=number == len(kept)))

    def _says(self, kinds: Sequence[str], line: str, is_last: bool = True) -> str | None:
        for mark in self.marks:
            if mark.kind in kinds and (is_last if mark.part is None else mark.part in line):
                return mark.value
        return None

    def _replaced(self, line: str) -> str:
        for mark in self.marks:
            if mark.kind == RUN_WITH:
                new, _, old = mark.value.partition(" for ")
                line = line.replace(old, new)
        return line


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page's text, each with the comments directly before it."""
    end = 0
    for fence in FENCES.finditer(text):
        before = text[end : fence.start()].splitlines()
        end = fence.end()
        comments: list[str] = []
        while before and (not before[-1].strip() or _COMMENT.fullmatch(before[-1])):
            comments.insert(0, before.pop())
        line = text.count("\n", 0, fence.start()) + 1
        yield Block(fence[1], fence[2], line, tuple(filter(str.strip, comments)))


def faults(text: str) -> Iterator[str]:
    """Yield what is wrong with the blocks and marks of a page's text, each with its line."""
    for block in blocks(text):
        for fault in _faults(block):
            yield f"line {block.line}: {fault}"


def _faults(block: Block) -> Iterator[str]:
    yield from (f"{comment} is no mark" for comment in block.comments if not _MARK.fullmatch(comment))
    for mark in block.marks:
        old = mark.value.partition(" for ")[2] if mark.kind == RUN_WITH else None
        for part in filter(None, (mark.part, old)):
            if part not in block.code:
                yield f"the block has no `{part}`"
        if mark.kind == RUN_BY:
            names = mark.value.split(", ")
            yield from (f"there is no test {name}" for name in names if not (ROOT / name).is_file())
    if block.is_shell:
        ours = {*PROGRAMS, *(f"make {target}" for target in TARGETS)}
        code = "".join(command.code for command in block.commands())
        yield from (f"the test does not run `{name}`" for name in programs(code) if name not in ours)


def programs(code: str) -> Iterator[str]:
    """Yield the names of the programs that shell code runs, without folders; each target of make is one."""
    for command in filter(None, commands(code)):
        name = Path(command[0]).name
        if name == "make":
            yield from (f"make {word}" for word in command[1:] if "=" not in word)
        else:
            yield name
