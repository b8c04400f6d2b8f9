"""The summary of a standing, and the progress of a match."""

import io
import re

import msgspec
import pytest
from rich.console import RenderableType

from arena.matches.standing import Standing
from arena.matches.summary import MatchProgress, duration_text, explanation, one_line, summary
from arena.records import Block, Setup
from arena.report import findings
from arena.statistics.sprt import Sprt
from battlesnake_search.common.console import Console
from tests.arena.matches.made_games import block_of, duel, game_of
from tests.arena.setups import setup_of

TEST = Sprt(0, 20)

PAIR = setup_of("paranoid/area", "paranoid/length", test=TEST)
FOUR = setup_of("paranoid/area", "paranoid/length", blocks=4)
THREE = setup_of(*["paranoid/area"] * 3, test=TEST)

ALL_WON = [duel(1, 1)] * 60
ALL_DRAWN = [duel(0.5, 0.5)] * 60
ALL_LOST = [duel(0, 0)] * 60


def standing_of(setup: Setup, *blocks: Block) -> Standing:
    """The sum of the blocks."""
    standing = Standing(setup)
    for block in blocks:
        standing.add(block)
    return standing


def printed(rendered: RenderableType, columns: int) -> str:
    """The text on a terminal of some columns."""
    console = Console(width=columns, highlight=False)
    with console.capture() as shown:
        console.print(rendered)
    return shown.get()


def text_of(standing: Standing, columns: int = 130) -> str:
    """The summary on a terminal of some columns."""
    return printed(summary(standing), columns)


def row_of(text: str, name: str) -> list[str]:
    """The cells of an entrant's row, which are at least two spaces apart."""
    rows = [re.split(r" {2,}", line.rstrip()) for line in text.splitlines()]
    [row] = [row for row in rows if row[0] == name]
    return row


def test_a_match_before_its_first_block() -> None:
    """Before the first block the summary has no result and no error."""
    text = text_of(standing_of(PAIR))
    assert "0 games in 0 pairs" in text
    assert "Elo +0.00 (no bounds yet)" in text
    assert "LLR 0.00 (-2.94, 2.94), undecided" in text


def test_a_match_of_one_block() -> None:
    """One block is reported in the singular, with a very wide interval."""
    text = text_of(standing_of(PAIR, duel(1, 0.5)))
    assert "paranoid/area against paranoid/length, 2 games in 1 pair\n" in text
    assert "won 1, drawn 1, lost 0" in text
    assert "pairs: 0 LL, 0 LD, 0 WL/DD, 1 WD, 0 WW" in text
    assert row_of(text, "paranoid/area")[1] == "0.750"
    assert row_of(text, "paranoid/length")[1] == "0.250"


@pytest.mark.parametrize(
    ("blocks", "elo", "said"),
    [
        (ALL_WON, "Elo more than +516.30 (no upper bound)", "accepted"),
        (ALL_DRAWN, "Elo +0.00 ±", "rejected"),
        (ALL_LOST, "Elo less than -516.30 (no lower bound)", "rejected"),
    ],
)
def test_matches_without_variance(blocks: list[Block], elo: str, said: str) -> None:
    """All won, all drawn and all lost matches have their Elo and decision."""
    standing = standing_of(PAIR, *blocks)
    text = text_of(standing)
    assert elo in text
    assert elo in one_line(standing)
    assert said in text
    assert standing.sprt_decision == said
    assert not re.search(r"\b(nan|inf)\b", text)


def test_every_term_is_explained() -> None:
    """The explanation has each term of the summary, and no other."""
    standing = standing_of(PAIR, duel(1, 0))
    terms = re.findall(r"^  (\S+(?: \S+)?) ", printed(explanation(standing), 130), re.MULTILINE)
    assert terms == ["p-value", "rating", "ms", "pairs", "Elo", "normalized Elo", "LOS", "SPRT", "LLR"]
    assert all(term in text_of(standing) for term in terms)


def test_faults_and_voids_are_shown() -> None:
    """Faults appear by entrant and kind, void games by reason, in the singular if there is one."""
    void = game_of((0, 1), (None, 0), void="paranoid/length never answered", faults={(0, 1): "refused"})
    standing = standing_of(PAIR, duel(1, 0), block_of(void, game_of((1, 0), (9, None))))
    text = text_of(standing)
    assert row_of(text, "entrant")[-1] == "faults"
    assert row_of(text, "paranoid/length")[-1] == "1 refused"
    assert row_of(text, "paranoid/area")[-1] == "0"
    assert "1 void game: paranoid/length never answered" in text
    assert "2 games in 1 pair\n" in text
    assert one_line(standing).endswith("1 fault")


@pytest.mark.parametrize("columns", [80, 100])
def test_a_narrow_terminal_hides_nothing(columns: int) -> None:
    """Names and numbers stay whole on 80 columns, next to faults of every kind."""
    faulty = game_of((0, 1), (None, 9), faults={(0, 1): "crashed", (1, 1): "late", (2, 1): "late"})
    setup = setup_of("paranoid/balanced", "paranoid/length")
    text = text_of(standing_of(setup, block_of(faulty, game_of((1, 0), (9, None)))), columns)
    assert all(len(line) <= columns for line in text.splitlines())
    assert "…" not in text
    assert row_of(text, "entrant")[:6] == ["entrant", "points", "95 % interval", "p-value", "rating", "ms"]
    assert row_of(text, "paranoid/balanced")[1:3] == ["1.000", "0.050 to 1.000"]
    assert row_of(text, "paranoid/length")[1:3] == ["0.000", "0.000 to 0.950"]
    start = text.index("faults")
    assert " ".join(" ".join(line[start:] for line in text.splitlines()[3:5]).split()) == "2 late, 1 crashed"


def test_a_long_name_is_folded() -> None:
    """A long name takes more lines on 80 columns, with all of its characters."""
    name = "http://localhost:8000/a/long/path"
    setup = setup_of(f"paranoid/area,name={name}", "paranoid/length")
    text = text_of(standing_of(setup, duel(1, 0)), 80)
    rows = text.split("paranoid/length")[0].splitlines()[2:]
    assert "".join(line.split(" ")[0] for line in rows) == name


def test_the_time_of_decisions() -> None:
    """The summary has milliseconds a move by entrant, and the share of decisions in the workers' time."""
    text = text_of(standing_of(PAIR, duel(1, 0)))
    assert row_of(text, "paranoid/area")[5] == "2.0"
    assert "80.0% of the workers' time went into decisions\n" in text


def test_parallel_decisions_are_explained() -> None:
    """More time than the workers had is explained by players that decide at the same time."""
    setup = setup_of("paranoid/area", "paranoid/length", snakes=8)
    block = block_of(*(game_of((0, 1) * 4, (None,) * 8, "turn limit") for _ in range(2)))
    assert "320.0% of the workers' time went into decisions; players" in text_of(standing_of(setup, block))


def test_three_entrants() -> None:
    """Each entrant has a row; the first is compared with the others, without wins and pairs."""
    block = block_of(*(game_of(seats, (None, 5, 3)) for seats in ((0, 1, 2), (1, 2, 0), (2, 0, 1))))
    standing = standing_of(THREE, block, block)
    text = text_of(standing)
    assert "paranoid/area against the others, 6 games in 2 blocks" in text
    assert "won " not in text
    assert "pairs" not in text
    assert "SPRT of logistic Elo 0 against 20" in text
    assert len([row_of(text, name) for name in ("paranoid/area", "paranoid/area 2", "paranoid/area 3")]) == 3
    assert standing.tally.games == 3


def test_company_is_not_compared() -> None:
    """Contenders are compared in blocks; company has a row for its time and faults only."""
    names = ("paranoid/area", "paranoid/length", "brs/area", "brs/length")
    setup = setup_of(*names, company=2)
    seatings = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
    games = [
        game_of(seats, [9 if seat == 1 else None for seat in seats], faults={(0, seats.index(2)): "late"})
        for seats in seatings
    ]
    text = text_of(standing_of(setup, block_of(*games)))
    assert "paranoid/area against paranoid/length, 4 games in 1 block\n" in text
    assert "in the company of brs/area, brs/length\n" in text
    assert "won 4, drawn 0, lost 0" in text
    assert [row_of(text, name)[1] for name in names] == ["1.000", "0.000", "company", "company"]
    assert [row_of(text, name)[-1] for name in names] == ["0", "0", "4 late", "0"]


def test_without_a_test() -> None:
    """Without a test there is neither a ratio nor a decision."""
    standing = standing_of(setup_of("paranoid/area", "paranoid/length"), *ALL_WON)
    assert standing.sprt_decision == "undecided"
    assert "SPRT" not in text_of(standing)
    assert one_line(standing) == f"Elo {text_of(standing).split('Elo ')[1].split(', normalized')[0]}"


def test_solo_has_no_wins() -> None:
    """Solo games are counted in pairs, without wins and losses."""
    setup = setup_of("paranoid/area", "paranoid/length", snakes=1)
    text = text_of(standing_of(setup, block_of(game_of((0,), (6,)), game_of((1,), (5,)))))
    assert "2 games in 1 pair\n" in text
    assert "won " not in text
    assert "pairs:" not in text


def test_a_name_is_not_markup() -> None:
    """Brackets in a name are not markup."""
    text = text_of(standing_of(setup_of("paranoid/area,name=[red]one", "paranoid/area,name=two"), duel(1, 0)))
    assert row_of(text, "[red]one")[1] == "0.500"
    assert "[red]one against two" in text


@pytest.fixture
def standing() -> Standing:
    """Two blocks of a match with a test."""
    standing = Standing(setup_of("paranoid/area", "paranoid/length", test=Sprt(0, 20)))
    standing.add(duel(1, 1))
    standing.add(duel(1, 0))
    return standing


def watch(standing: Standing, ended: list[int], console: Console | None = None) -> None:
    """Show a match of four pairs of games at these numbers of ended pairs."""
    with MatchProgress(FOUR, console) as shown:
        for count in ended:
            shown.block_ended(standing, count)


def test_the_last_block_prints_a_line(standing: Standing, capsys: pytest.CaptureFixture[str]) -> None:
    """A short match prints one line: games, rate and the first entrant's statistics."""
    watch(standing, [0, 1, 2, 3, 4])
    out, err = capsys.readouterr()
    [line] = err.splitlines()
    assert out == ""
    assert line.startswith("8 of 8 games, ")
    assert "a minute: Elo +" in line
    assert "LLR " in line


def test_a_long_match_prints_lines_now_and_then(
    standing: Standing, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the interval each block is printed, except the first of a resumed match."""
    monkeypatch.setattr("arena.matches.summary.LINE_SECONDS", 0.0)
    watch(standing, [2, 3])
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("4 of 8 games, 0.0 a minute: ")
    assert second.startswith("6 of 8 games, ")
    assert re.search(r" a minute, at most \d+ s left: ", second)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_time_is_told_in_two_units(seconds: float, text: str) -> None:
    """A duration has minutes and seconds, or hours and minutes."""
    assert duration_text(seconds) == text


def test_a_finished_match_is_resumed(standing: Standing, capsys: pytest.CaptureFixture[str]) -> None:
    """A resumed match with all blocks in its file has no rate, and so no time left."""
    watch(standing, [4])
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("8 of 8 games, 0.0 a minute: Elo ")


def test_an_interrupted_match_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """An interrupted match prints nothing: the command explains the interruption."""
    with pytest.raises(KeyboardInterrupt), MatchProgress(FOUR):
        raise KeyboardInterrupt
    assert capsys.readouterr() == ("", "")


def test_on_a_terminal_there_is_a_bar(standing: Standing) -> None:
    """The bar shows games, rate and Elo in one line, and no other lines are printed."""
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, force_interactive=True, width=150)
    watch(standing, [0, 1, 2], console=terminal)
    shown = screen.getvalue()
    assert "4/8" in shown
    assert "a minute" in shown
    assert re.search(r"\d s left", shown)
    assert "LLR 0" in shown
    assert "4 of 8 games," not in shown


def test_points_have_one_interval() -> None:
    """The table of the terminal, the progress and the page show the same interval of the points."""
    standing = standing_of(setup_of("greedy", "coward", company=1), *[duel(1, 1), duel(1, 0), duel(0, 0)] * 4)
    [points] = [value for name, value in findings.summary(standing).rows if name == "Points"]
    low, high = (float(number) for number in re.findall(r"\d+\.\d", points)[1:3])
    assert f"({low:.1f}% to {high:.1f}%)" in one_line(standing)
    row = row_of(text_of(standing), "greedy")
    assert row[2] == f"{low / 100:.3f} to {high / 100:.3f}"


def test_the_games_of_blocks_in_progress_are_shown(
    standing: Standing, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the ends of two blocks, lines have the games and turns so far, and no game counts twice."""
    monkeypatch.setattr("arena.matches.summary.LINE_SECONDS", 0.0)
    with MatchProgress(FOUR) as shown:
        shown.block_ended(standing, 1)
        shown.games_running({1: (0, 0)})
        shown.games_running({1: (1, 57), 2: (1, 8)})
        shown.block_ended(standing, 2)
        shown.games_running({2: (1, 9)})
    _, second, third, fourth, fifth = capsys.readouterr().err.splitlines()
    assert second.startswith("2 of 8 games, 0.0 a minute: ")
    assert third.startswith("4 of 8 games, at turn 57 and 8, 0.0 a minute: ")
    assert fourth.startswith("4 of 8 games, ")
    assert fifth.startswith("5 of 8 games, at turn 9, ")


def test_blocks_of_several_games_are_counted_in_games(
    standing: Standing, capsys: pytest.CaptureFixture[str]
) -> None:
    """A block of three entrants has three games, and a gauntlet's block one game for each snake."""
    for setup in (
        msgspec.structs.replace(THREE, blocks=4),
        setup_of("greedy", "coward", "hunter", company=2),
    ):
        with MatchProgress(setup) as shown:
            shown.block_ended(standing, setup.blocks)
    three, gauntlet = capsys.readouterr().err.splitlines()
    assert three.startswith("12 of 12 games, ")
    assert gauntlet.startswith("6 of 6 games, ")
