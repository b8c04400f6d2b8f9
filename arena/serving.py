"""The matches and reports of a folder over HTTP. A match may be read while it is played."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from aiohttp import hdrs, web

from arena.games.boards import prepare_replays
from arena.matches.standing import Standing, is_duel
from arena.records import Block, Match, Setup, decoded_block, decoded_setup, holds_match
from arena.report import findings
from arena.report.findings import checkpoints, llr_history
from arena.report.replays import Replay, game_entry, match_entry, replay_of
from arena.report.wording import title_text
from arena.statistics.elo import PAIRS
from battlesnake_search.common.http import accepts_gzip

State = Literal["running", "stopped", "finished"]
"""A match is finished if its test is decided or all games are played. It is stopped if it was not finished
and its file has not changed for STILL_AFTER."""

MOST_GAMES = 1000
"""The largest number of games in the list of a match. The newest games are listed."""

STILL_AFTER = 300.0
"""A match counts as stopped if its file has not changed for this number of seconds."""


class UnknownFileError(LookupError):
    """Raised for a match, page or game that does not exist."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block lies in the file, in bytes."""

    start: int
    length: int


class FollowedMatch:
    """The match in a file. `update` reads new content. All other methods show the last update."""

    setup: Setup
    standing: Standing

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = (0, 0)
        self._prepared = False
        self._forget()

    def _forget(self) -> None:
        self._read = 0
        self._places: dict[int, _Place] = {}
        self.games: list[dict[str, Any]] = []
        """The newest games, as the picker of the viewer lists them."""

    def update(self) -> None:
        """Read the blocks that were added to the file. If the file was replaced, read all of it.

        Raises ValueError, naming the place, if the file holds no match, and OSError if it can't be read.
        """
        with self._path.open("rb") as file:
            status = self._path.stat()
            if (status.st_dev, status.st_ino) != self._file or status.st_size < self._read:
                self._forget()
                self._file = status.st_dev, status.st_ino
            file.seek(self._read)
            for line in file:
                # A running match may have written only a part of its last line.
                if not line.endswith(b"\n"):
                    break
                self._add(line)
                self._read += len(line)
        if not self._read:
            raise ValueError(f"{self._path.name}: the file has no whole line")
        self.changed_at = status.st_mtime

    def _add(self, line: bytes) -> None:
        name = f"{self._path.name}, byte {self._read}"
        if not self._read:
            self.setup = decoded_setup(line, name)
            self.standing = Standing(self.setup)
            return
        block = decoded_block(line, name)
        self._places[block.number] = _Place(self._read, len(line))
        self.standing.add(block)
        self.games += [
            game_entry(self.setup, f"{block.number}.{number}", game)
            for number, game in enumerate(block.games, 1)
        ]
        del self.games[:-MOST_GAMES]

    @property
    def version(self) -> str:
        """A text that changes whenever the match changes."""
        return f"{self._file[1]}-{self._read}-{self.state}"

    @property
    def state(self) -> State:
        """Whether the match is being played."""
        if self.standing.sprt_decision != "undecided" or self.standing.blocks >= self.setup.blocks:
            return "finished"
        return "running" if time.time() - self.changed_at < STILL_AFTER else "stopped"

    def replay(self, key: str) -> Replay:
        """Return the replay of a game, by the key of its entry in `games`.

        Raises UnknownFileError for an unknown game, and ValueError if the record contradicts the rules.
        """
        number, _, game = key.partition(".")
        block = self._block(int(number)) if number.isdecimal() else None
        if block is None or not game.isdecimal() or not 1 <= int(game) <= len(block.games):
            raise UnknownFileError(f"there is no game {key} in {self._path.name}")
        found = block.games[int(game) - 1]
        if not self._prepared:
            prepare_replays(Match(self.setup, (block,)))
            self._prepared = True
        return replay_of(self.setup.rules, found)

    def _block(self, number: int) -> Block | None:
        place = self._places.get(number)
        if place is None:
            return None
        with self._path.open("rb") as file:
            file.seek(place.start)
            return decoded_block(file.read(place.length), f"{self._path.name}, byte {place.start}")


_MOST_RATED = 2000
"""The most games for which ratings are computed, because ratings take longer than everything else."""


def listed(match: FollowedMatch, name: str) -> dict[str, Any]:
    """Return the entry of a match in the list of a folder."""
    standing = match.standing
    return {
        "name": name,
        "title": title_text(match.setup),
        "state": match.state,
        "changed_at": datetime.fromtimestamp(match.changed_at, UTC),
        "blocks": standing.blocks,
        "planned_blocks": match.setup.blocks,
        "games": standing.games,
    }


def summary(match: FollowedMatch, name: str) -> dict[str, Any]:
    """Return everything about a match that its page shows, except for the replays."""
    standing = match.standing
    results = [findings.summary(standing)] if standing.points else []
    if standing.points and standing.games <= _MOST_RATED:
        results += filter(None, [findings.ranking(standing)])
    return listed(match, name) | {
        "conclusion": findings.conclusion(standing),
        "tables": [*results, findings.entrants(match.setup), findings.faults(standing)],
        "pairs": _pairs(standing),
        "sprt": _sprt(standing),
        "picker": match_entry(match.setup) | {"games": match.games},
    }


def _pairs(standing: Standing) -> list[dict[str, Any]] | None:
    """Return the counts of pairs from two losses to two wins, or None unless the match is a duel."""
    if not is_duel(standing.setup) or not standing.points:
        return None
    return [{"name": name, "count": count} for name, count in zip(PAIRS, standing.tally.counts, strict=True)]


def _sprt(standing: Standing) -> dict[str, Any] | None:
    """Return the sequential test with its log-likelihood ratio over blocks, or None without a test."""
    test = standing.setup.test
    if test is None or not standing.points:
        return None
    history = zip(checkpoints(len(standing.points)), llr_history(standing, test), strict=True)
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "model": test.model,
        "lower": test.lower,
        "upper": test.upper,
        "llr": test.log_likelihood_ratio(standing.tally),
        "decision": test.decision(standing.tally),
        "history": [(0, 0.0), *history],
    }


_TITLE = "Battlesnake arena</title>"
"""The end of the title of each report."""

_HEAD = 4096
"""The bytes of a page that hold its title."""


class Folder:
    """The matches and reports of a folder. Its methods read files, and may take a while."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._matches: dict[str, FollowedMatch] = {}

    def contents(self) -> dict[str, Any]:
        """Return the matches and the reports, newest first. Files that can't be read have a `problem`."""
        files = [path for path in self._path.iterdir() if path.is_file()]
        newest = sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)
        return {
            "folder": self._path.name,
            "matches": [self._listed(path) for path in newest if holds_match(path)],
            "reports": [_report(path) for path in newest if _is_report(path)],
        }

    def _listed(self, path: Path) -> dict[str, Any]:
        try:
            return listed(self.match(path.name), path.name)
        except (ValueError, OSError) as error:
            return {"name": path.name, "problem": _words(error)}

    def match(self, name: str) -> FollowedMatch:
        """Return a match with all that its file has now. Raises UnknownFileError, ValueError and OSError."""
        path = self._file(name)
        if name not in self._matches:
            if not holds_match(path):
                raise UnknownFileError(f"{name} holds no match")
            self._matches[name] = FollowedMatch(path)
        self._matches[name].update()
        return self._matches[name]

    def report(self, name: str) -> Path:
        """Return the file of a report. Raises UnknownFileError for an unknown report."""
        path = self._file(name)
        if not _is_report(path):
            raise UnknownFileError(f"{name} is not a report of the arena")
        return path

    def _file(self, name: str) -> Path:
        # The name in a request must not lead out of the folder.
        path = next((path for path in self._path.iterdir() if path.name == name and path.is_file()), None)
        if path is None:
            raise UnknownFileError(f"there is no file {name}")
        return path


def _is_report(path: Path) -> bool:
    if path.suffix != ".html":
        return False
    with path.open("rb") as file:
        return _TITLE.encode() in file.read(_HEAD)


def _report(path: Path) -> dict[str, Any]:
    status = path.stat()
    changed = datetime.fromtimestamp(status.st_mtime, UTC)
    return {"name": path.name, "bytes": status.st_size, "changed_at": changed}


FOLDER = web.AppKey("folder", Folder)

_READING = web.AppKey("reading", asyncio.Lock)
"""A lock, so that one request at a time reads the folder's matches."""

_BACK = b'\n<p><a href="/arena.html">All matches and reports</a></p>'
"""The way back from a report to the console's page."""

_SANDBOX = {"Content-Security-Policy": "sandbox allow-scripts", "X-Content-Type-Options": "nosniff"}
"""The headers of a report. Its script runs with an opaque origin, so it can't reach the site that serves
it."""


def build(folder: Folder) -> web.Application:
    """Build the application."""
    app = web.Application()
    app[FOLDER], app[_READING] = folder, asyncio.Lock()
    app.add_routes(
        [
            web.get("/api/arena", contents),
            web.get("/api/arena/matches/{name}", match),
            web.get("/api/arena/matches/{name}/games/{key}", replay),
            web.get("/arena/reports/{name}", report),
        ]
    )
    return app


async def contents(request: web.Request) -> web.StreamResponse:
    """Answer with the matches and the reports of the folder."""
    return await _answer(request, lambda folder: folder.contents())


async def match(request: web.Request) -> web.StreamResponse:
    """Answer with the current match, or with 304 if the client already has this version."""
    name = request.match_info["name"]
    known = {tag.value for tag in request.if_none_match or ()}

    def read(folder: Folder) -> _Versioned:
        found = folder.match(name)
        return _Versioned(found.version, None if found.version in known else summary(found, name))

    return await _answer(request, read)


async def replay(request: web.Request) -> web.StreamResponse:
    """Answer with the replay of a game."""
    name, key = request.match_info["name"], request.match_info["key"]
    return await _answer(request, lambda folder: folder.match(name).replay(key))


async def report(request: web.Request) -> web.StreamResponse:
    """Answer with a report, in a sandbox."""
    try:
        path = request.app[FOLDER].report(request.match_info["name"])
        version = f"{path.stat().st_mtime_ns}"
        if any(tag.value == version for tag in request.if_none_match or ()):
            response = web.Response(status=304)
        else:
            page = (await asyncio.to_thread(path.read_bytes)).replace(b"<body>", b"<body>" + _BACK, 1)
            response = web.Response(body=page, content_type="text/html", charset="utf-8", headers=_SANDBOX)
    except UnknownFileError as error:
        return _error(404, error)
    except OSError as error:
        return _error(422, error)
    response.etag = version
    return response


@dataclass(frozen=True, slots=True)
class _Versioned:
    """An answer with its version. It has no content if the client already has this version."""

    version: str
    content: object | None


async def _answer(request: web.Request, read: Callable[[Folder], object]) -> web.StreamResponse:
    """Answer with content of the folder, as JSON."""
    try:
        async with request.app[_READING]:
            found = await asyncio.to_thread(read, request.app[FOLDER])
    except UnknownFileError as error:
        return _error(404, error)
    except (ValueError, OSError) as error:
        return _error(422, error)
    version, content = (found.version, found.content) if isinstance(found, _Versioned) else (None, found)
    if content is None:
        response = web.Response(status=304)
    else:
        response = web.Response(body=msgspec.json.encode(content), content_type="application/json")
        if accepts_gzip(request.headers.get(hdrs.ACCEPT_ENCODING, "")):
            # aiohttp would prefer deflate.
            response.enable_compression(web.ContentCoding.gzip)
    if version is not None:
        response.etag = version
    return response


def _words(error: Exception) -> str:
    """Return an error in words."""
    if isinstance(error, OSError):
        return f"{Path(error.filename or '').name or 'the folder'} can't be read: {error.strerror}"
    return str(error)


def _error(status: int, error: Exception) -> web.Response:
    body = msgspec.json.encode({"error": _words(error)})
    return web.Response(body=body, status=status, content_type="application/json")
