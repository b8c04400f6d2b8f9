"""The board of versions: the ratings of strategies over time, from the matches of a folder.

A version is a strategy with its weights and its code, named by a digest, and its limits for a move. Ratings
follow the Plackett-Luce model of R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online
ranking" (2011).
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path

import msgspec
import tomli_w
from openskill.models import PlackettLuce, PlackettLuceRating

from arena.games.entrants import STRATEGY, split_text
from arena.matches.points import shares_outlived
from arena.records import Entrant, Game, Setup, blocks_in, holds_match, read_setup_of
from arena.report.wording import limits_text

NOTES = "notes.toml"
"""The file of a folder with the notes about versions, by digest."""

DIGITS = 8
"""The shown digits of a digest. They suffice to distinguish digests."""

_CLEAR = 1.96
"""The distance of two ratings, in standard deviations, beyond which one version is better."""


_MODEL = PlackettLuce(tau=0.0)
"""The model of skills. They stay the same from game to game, so time adds nothing to their uncertainty."""


class Version(msgspec.Struct, frozen=True, order=True):
    """A version of an entrant. The digest is empty if it is unknown."""

    name: str
    digest: str
    limits: str

    def __str__(self) -> str:
        return f"{self.name} [{self.digest[:DIGITS]}]" if self.digest else self.name


@dataclass(slots=True)
class Line:
    """The record of a version: its games of the arena."""

    version: Version
    first: datetime | None = None
    last: datetime | None = None
    games: int = 0
    points: float = 0.0
    rating: PlackettLuceRating = field(default_factory=_MODEL.rating)
    note: str = ""

    @property
    def rating_text(self) -> str:
        """The mean of the rating, with two standard deviations."""
        return f"{self.rating.mu:.1f} ± {2 * self.rating.sigma:.1f}"


class Board:
    """The versions that played in the matches of a folder. Reads the whole folder.

    Raises OSError if the folder can't be read, and ValueError, naming the place, for a damaged match.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: dict[Version, Line] = {}
        self._met: defaultdict[Version, set[Version]] = defaultdict(set)
        self._read()
        notes = read_notes(folder)
        for version, line in self._lines.items():
            line.note = next((text for digest, text in notes.items() if _is(version, digest)), "")

    def lines(self) -> list[Line]:
        """Return all versions, the best rating first."""
        return sorted(self._lines.values(), key=lambda line: -line.rating.mu)

    def digests(self, start: str) -> list[str]:
        """Return the digests that begin with a text."""
        return sorted({version.digest for version in self._lines if _is(version, start)})

    def newest_and_former(self) -> Iterator[tuple[Line, Line]]:
        """For each name and limits with several versions, yield the newest and the one before it."""
        by_name: defaultdict[tuple[str, str], list[Line]] = defaultdict(list)
        for line in self._lines.values():
            if line.first is not None and line.version.digest:
                by_name[line.version.name, line.version.limits].append(line)
        for _, lines in sorted(by_name.items()):
            *_, former, newest = [None, *sorted(lines, key=lambda line: line.first or datetime.max)]
            if former is not None and newest is not None:
                yield newest, former

    def comparison(self, newest: Line, former: Line) -> str:
        """Return in a sentence whether the newest version is better than the former one."""
        names = f"{newest.version} of {_day(newest.first)}", f"{former.version} of {_day(former.first)}"
        if former.version not in self._linked(newest.version):
            return f"{names[0]} and {names[1]} can't be compared: they have no common opponent."
        one, other = newest.rating, former.rating
        distance = (one.mu - other.mu) / sqrt(one.sigma**2 + other.sigma**2)
        ratings = f"rating {newest.rating_text} against {former.rating_text}"
        if abs(distance) < _CLEAR:
            return f"No difference is shown yet between {names[0]} and {names[1]}: {ratings}."
        word = "better" if distance > 0 else "worse"
        return f"{names[0]} is {word} than {names[1]}, with 95 % confidence: {ratings}."

    def _read(self) -> None:
        """Count each game that counts, the oldest match first."""
        files = [path for path in self._folder.iterdir() if path.suffix == ".jsonl" and holds_match(path)]
        for path in sorted(files, key=lambda path: path.stat().st_mtime):
            setup, played = read_setup_of(path), datetime.fromtimestamp(path.stat().st_mtime, UTC)
            versions = [_version(setup, index) for index in range(len(setup.entrants))]
            for block in sorted(blocks_in(path), key=lambda block: block.number):
                for game in block.games if block.counts and setup.snakes > 1 else ():
                    self._count(versions, setup, game, played)

    def _count(self, versions: list[Version], setup: Setup, game: Game, played: datetime) -> None:
        """Count a game of some versions, and rate them by the order of their points."""
        shares = shares_outlived(game, range(len(setup.entrants)))
        seated = {versions[seat]: shares[seat] for seat in game.seats}
        for version, share in seated.items():
            line = self._line(version)
            line.games, line.points = line.games + 1, line.points + share
            line.first, line.last = line.first or played, played
            self._met[version] |= seated.keys() - {version}
        if len(seated) > 1:
            best_first = sorted(set(seated.values()), reverse=True)
            # openskill ranks correctly only by whole numbers, although it accepts fractions.
            ranks = [float(best_first.index(share)) for share in seated.values()]
            teams = [[self._line(version).rating] for version in seated]
            for version, [rating] in zip(seated, _MODEL.rate(teams, ranks=ranks), strict=True):
                self._line(version).rating = rating

    def _line(self, version: Version) -> Line:
        return self._lines.setdefault(version, Line(version))

    def _linked(self, version: Version) -> set[Version]:
        """Return the versions that met a version, or an opponent of it, and so on."""
        found, waiting = {version}, [version]
        while waiting:
            new = self._met[waiting.pop()] - found
            found |= new
            waiting += new
        return found


def read_notes(folder: Path) -> dict[str, str]:
    """Return the notes of a folder by digest, empty without a file. Raises ValueError for a damaged file."""
    path = folder / NOTES
    if not path.exists():
        return {}
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, str])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ValueError(f"{path} has no notes by digest: {error}") from None


def write_note(folder: Path, digest: str, text: str) -> None:
    """Set the note about a version. Raises OSError, or ValueError as `read_notes`."""
    notes = read_notes(folder) | {digest: text}
    (folder / NOTES).write_text(tomli_w.dumps(notes), encoding="utf-8")


def _version(setup: Setup, index: int) -> Version:
    entrant = setup.entrants[index]
    digest = setup.versions[index] if setup.versions else ""
    return Version(_name(entrant, bool(digest)), digest, limits_text(entrant.limits))


def _name(entrant: Entrant, is_known: bool) -> str:
    """Return the strategy of an entrant if its version is known, wherever it plays, else its description."""
    player, options = split_text(entrant.player)
    if is_known:
        return player if STRATEGY.fullmatch(player) else options.get("strategy", "auto")
    return ",".join([player, *(f"{key}={value}" for key, value in options.items() if key != "name")])


def _is(version: Version, start: str) -> bool:
    return bool(version.digest) and version.digest.startswith(start)


def _day(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d}" if time else "an unknown day"
