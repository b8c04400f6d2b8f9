"""The parsing of strategies' names, and the choice of a strategy by the position."""

from dataclasses import replace

import pytest

from battlesnake_search.contract.rulesets import RULESETS
from searcher import strategies
from searcher.plugins.discovery import Discovery
from searcher.strategies import (
    AUTO,
    FALLBACK,
    SEARCHES,
    Rule,
    discovered,
    evaluators,
    is_trusted,
    offer,
    parse_choice,
    parse_strategy,
    replace_defaults,
    strategy_of,
)
from tests.searcher.own_rules import OWN, position_with


def test_every_name_is_parsed() -> None:
    """search/evaluator gives that strategy with default weights, in every position."""
    for search in SEARCHES:
        for name, evaluator in evaluators().items():
            strategy = parse_strategy(f"{search}/{name}")
            assert str(strategy) == f"{search}/{name}"
            assert strategy.weights == {weight.name: weight.default for weight in evaluator.weights}
            assert parse_choice(f"{search}/{name}") == strategy == strategy.for_position(position_with(2))


def test_auto_is_parsed() -> None:
    """It is the default: an empty text means the same."""
    assert parse_choice("auto") == parse_choice("") == AUTO
    assert str(AUTO) == "auto"


@pytest.mark.parametrize(
    "text",
    [
        "auto/area",
        "Auto",
        "paranoid",
        "area/paranoid",
        "paranoid/area/area",
    ],
)
def test_other_names_are_refused(text: str) -> None:
    """The error quotes the text and lists the valid names."""
    with pytest.raises(ValueError) as refused:
        parse_choice(text)
    assert repr(text) in str(refused.value)
    assert all(name in str(refused.value) for name in (*SEARCHES, *evaluators()))


@pytest.mark.parametrize(
    ("snakes", "ruleset", "name"),
    [
        (1, "solo", "paranoid/solo"),
        (2, "standard", "paranoid/area"),
        (2, "constrictor", "mcts/length"),
        (3, "constrictor", "brs/balanced"),
        (8, "royale", "brs/balanced"),
    ],
)
def test_auto_chooses_by_the_position(snakes: int, ruleset: str, name: str) -> None:
    """The first rule that applies decides, with the default weights of its evaluator."""
    strategy = OWN.for_position(position_with(snakes, ruleset, width=19))
    assert strategy == parse_strategy(name)


def test_the_default_depends_on_the_number_of_snakes() -> None:
    """A snake alone, a duel and a crowd have different strategies. All games of constrictor have one."""
    growing = {"constrictor", "wrapped_constrictor"}
    chosen = [
        {str(AUTO.for_position(position_with(snakes, ruleset))) for ruleset in {*RULESETS} - growing}
        for snakes in range(1, 9)
    ]
    assert chosen == [{"paranoid/solo"}, {"paranoid/hungry"}, *[{"crowd/hungry"}] * 6]
    chosen = [
        {str(AUTO.for_position(position_with(snakes, ruleset))) for ruleset in growing}
        for snakes in range(1, 9)
    ]
    assert chosen == [{"paranoid/solo"}, *[{"mcts/area"}] * 7]


def test_the_strategies_of_auto() -> None:
    """Each one is listed once, that of most positions first; a strategy lists itself."""
    names = [str(strategy) for strategy in OWN.strategies]
    assert names[0] == "paranoid/balanced" and len(names) == len(set(names)) == len(OWN.rules)
    twice = replace(OWN, rules=(*OWN.rules, *OWN.rules))
    assert len(twice.strategies) == len(OWN.strategies)
    assert FALLBACK.strategies == (FALLBACK,)


def test_auto_with_other_rules_has_another_digest() -> None:
    """Any change of a rule and of their order changes the digest; a strategy has none."""
    rules = list(OWN.rules)
    changed = [rules[:-1], rules[::-1], [replace(rules[0], snakes=(1, 2)), *rules[1:]]]
    digests = {replace(OWN, rules=tuple(each)).choice_digest for each in (rules, *changed)}
    assert len(digests) == 4 and OWN.choice_digest in digests
    assert FALLBACK.choice_digest == ""


def test_a_few_strategies_are_offered_with_those_of_auto(monkeypatch: pytest.MonkeyPatch) -> None:
    """A searcher can play what `auto` may choose, and complete strategies, whatever else it offers."""
    monkeypatch.setattr(strategies, "AUTO", OWN)
    for only in ([OWN], [parse_strategy("brs/area")], [FALLBACK]):
        offered = offer(only)
        assert offered.default == OWN and offered.fallback == FALLBACK
        assert set(offered.searches) == {"paranoid", "mcts", "brs"}
        assert set(offered.evaluators) == {"solo", "length", "area", "balanced"}
    assert set(offer([parse_strategy("maxn/hungry")]).searches) > {"maxn", "brs"}


def test_the_evaluators_of_this_project_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """They need no trial, but an evaluator of another package does."""
    assert all(is_trusted(name) for name in evaluators())
    theirs = replace(evaluators()["area"], evaluate=lambda game, board, weights, snake: 0.0)
    monkeypatch.setitem(discovered().evaluators, "theirs", theirs)
    assert not is_trusted("theirs")


@pytest.mark.parametrize(
    ("rule", "applies"),
    [
        (Rule("s", "e"), True),
        (Rule("s", "e", snakes=(1, 3)), True),
        (Rule("s", "e", snakes=(3, 8)), True),
        (Rule("s", "e", snakes=(1, 2)), False),
        (Rule("s", "e", snakes=(4, 8)), False),
        (Rule("s", "e", rulesets=("wrapped", "royale")), True),
        (Rule("s", "e", rulesets=("standard",)), False),
        (Rule("s", "e", snakes=(3, 3), rulesets=("standard",)), False),
        (Rule("s", "e", side=(13, 25)), True),
        (Rule("s", "e", side=(1, 12)), False),
    ],
)
def test_all_conditions_of_a_rule_have_to_hold(rule: Rule, applies: bool) -> None:
    """Bounds are included, no ruleset means all, and the longer side counts."""
    assert rule.applies_to(position_with(3, "royale", width=7, height=13)) is applies


@pytest.fixture
def replaceable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test replace defaults, which other tests need as they are."""
    found = strategies.discovered()
    own = Discovery(dict(found.evaluators), found.faults)
    monkeypatch.setattr(strategies, "discovered", lambda: own)
    monkeypatch.setattr(strategies, "_replaced", {})


@pytest.mark.usefixtures("replaceable")
def test_defaults_can_be_replaced() -> None:
    """Those of the default strategy and of the fallback, too; other weights stay as they are."""
    before = strategy_of("paranoid", "hungry").weights
    digest = AUTO.choice_digest
    replace_defaults("hungry", {"area": 0.5})
    replace_defaults("balanced", {"area": 0.75})
    assert strategy_of("paranoid", "hungry").weights == {**before, "area": 0.5}
    assert parse_strategy("brs/hungry").weights["area"] == 0.5
    assert {strategy.weights.get("area") for strategy in AUTO.strategies} == {0.5, 1.0, None}
    assert offer().fallback.weights["area"] == 0.75
    assert offer().evaluators["hungry"].weights[0].default == 0.5
    assert AUTO.choice_digest != digest


@pytest.mark.usefixtures("replaceable")
@pytest.mark.parametrize(
    ("evaluator", "weights", "error"),
    [
        ("nonsense", {}, "no evaluator 'nonsense'; valid: .*hungry.*; to add an entry point, install its"),
        ("area", {"thirst": 1.0}, "area: no weight 'thirst'; valid: area, hunger"),
        ("area", {"area": 20.0}, "area: weight area must be 0.0 to 10.0, not 20.0"),
    ],
)
def test_invalid_defaults_are_refused(evaluator: str, weights: dict[str, float], error: str) -> None:
    """The error lists what is valid, and nothing changes."""
    before = strategy_of("paranoid", "area")
    with pytest.raises(ValueError, match=error):
        replace_defaults(evaluator, weights)
    assert strategy_of("paranoid", "area") == before
