"""The analysis as JSON."""

import json
from typing import Any

from google.protobuf import json_format

from battlesnake_search.contract import search_pb2 as pb
from tests.searcher.command_line import ROOT, call

GAME = ROOT / "tests" / "fixtures" / "games" / "duel.jsonl"
FRAME: dict[str, Any] = json.loads(GAME.read_text().splitlines()[5])


def analysis(*arguments: str) -> dict[str, Any]:
    """Return what `analyze --json` prints, which is a single line."""
    done = call("analyze", f"{GAME}:4", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    document: dict[str, Any] = json.loads(line)
    return document


def test_the_result_has_the_fields_of_the_contract() -> None:
    """Each depth has them too; the last one is the result of a search that reached its depth."""
    document = analysis("--depth", "3", "--strategy", "paranoid/area", "--weights", "hunger=0.25")
    fields = set(pb.SearchResult.DESCRIPTOR.fields_by_name)
    assert document.keys() == fields | {"position", "limits", "depths"}
    assert [depth["depth"] for depth in document["depths"]] == [1, 2, 3]
    assert all(depth.keys() <= fields for depth in document["depths"])
    assert document["depths"][-1]["principal_variation"] == document["principal_variation"]
    assert (document["depth"], document["stop_reason"]) == (3, "depth")
    assert document["limits"] == {"time": None, "depth": 3, "nodes": None, "threads": 1}
    strategy = {"search": "paranoid", "evaluator": "area", "weights": {"area": 1.0, "hunger": 0.25}}
    assert document["strategy"] == strategy
    assert document["root_moves"][0]["move"] == document["move"] in ("up", "down", "left", "right")
    ids = {snake["id"] for snake in FRAME["board"]["snakes"]}
    assert document["principal_variation"][0]["moves"].keys() == ids


def test_scores_are_exact_unless_the_search_is_as_played() -> None:
    """In the search of a game's move, the scores of worse moves are bounds."""
    exact, played = (analysis("--depth", "4", *more)["root_moves"] for more in ((), ("--as-played",)))
    assert {each["score_kind"] for each in exact} == {"exact"}
    assert {each["score_kind"] for each in played} == {"exact", "upper_bound"}
    bounds = {each["move"]: each["score"] for each in played}
    assert all(each["score"] <= bounds[each["move"]] for each in exact)


def test_the_position_is_one_of_the_contract() -> None:
    """It parses as the position of a request and has what was recorded."""
    document = analysis("--nodes", "50")
    position = json_format.ParseDict(document["position"], pb.Position())
    assert (position.turn, position.you_id) == (4, FRAME["board"]["snakes"][0]["id"])
    assert position.ruleset.settings.shrink_every_n_turns == 25
    assert [snake.name for snake in position.board.snakes] == ["one", "two"]
    parts = [[(part.x, part.y) for part in snake.body] for snake in position.board.snakes]
    assert parts == [[(part["x"], part["y"]) for part in snake["body"]] for snake in FRAME["board"]["snakes"]]
