"""The check of routes against their searchers."""

import asyncio
from pathlib import Path

import pytest

from battlesnake_search.common import toml
from gateway.routes import config, strategy_check
from gateway.routes.config import Routes
from gateway.routes.strategy_check import (
    Fault,
    Inspection,
    explain,
    inspect_all,
    inspect_tried,
    reflex_snakes,
)
from gateway.searchers.pool import SearcherPool
from tests.gateway import scripted_searcher
from tests.gateway.listing_searcher import ListingService, listing
from tests.gateway.scripted_searcher import ScriptedService

NOBODY = "127.0.0.1:1"


def _routes(*arms: str) -> Routes:
    """Return the routes with a snake at / that has these arms."""
    return toml.decode(f'[[snakes]]\npath = "/"\narms = [{", ".join(arms)}]'.encode(), Routes)


async def _inspect(service: ScriptedService, routes: Routes, patience: float = 20) -> Inspection:
    async with scripted_searcher.searcher(service) as target, SearcherPool(target) as pool:
        await pool.open(strategy_check.targets_of(routes))
        [inspection] = await asyncio.wait_for(inspect_all(pool, routes, patience), 30)
        assert target in inspection.searcher
        return inspection


async def test_each_name_that_the_searcher_does_not_list_is_a_fault() -> None:
    """There is a fault for each unknown search, evaluator and weight, with the valid names."""
    routes = _routes(
        '{ name = "right", strategy = "paranoid/area", evaluator_weights = { hunger = 0.5 } }',
        '{ name = "default", evaluator_weights = { hunger = 1 } }',
        '{ name = "one", strategy = "paranoyd/area" }',
        '{ name = "two", strategy = "paranoid/aria", evaluator_weights = { hunger = 1 } }',
        '{ name = "three", evaluator_weights = { thirst = 1 } }',
        '{ name = "four", evaluator_weights = { hunger = 2 } }',
    )
    inspection = await _inspect(ListingService("area", "length", refusals=2), routes)
    assert inspection.trouble == ""
    assert [str(fault) for fault in inspection.faults] == [
        "/, arm one: unknown search 'paranoyd'; valid: paranoid; nearest: paranoid",
        "/, arm two: unknown evaluator 'aria'; valid: area, length; nearest: area",
        "/, arm three: unknown weight 'thirst'; valid: hunger",
        "/, arm four: weight out of bounds 'hunger = 2'; valid: 0 to 1",
    ]


async def test_a_faulty_evaluator_is_a_fault_with_its_reason() -> None:
    """The searcher knows the reason; an evaluator on trial is no fault, but its arm can't play yet."""
    service = ListingService("area", "mine")
    service.listed.faulty_evaluators.add(name="raising", reason="ValueError: no (raising.py:11)")
    service.listed.evaluators_on_trial.append("mine")
    routes = _routes(
        '{ name = "a", strategy = "paranoid/raising" }', '{ name = "b", strategy = "paranoid/mine" }'
    )
    inspection = await _inspect(service, routes)
    assert [str(fault) for fault in inspection.faults] == [
        "/, arm a: faulty evaluator raising: ValueError: no (raising.py:11)"
    ]
    assert [str(fault) for fault in inspection.on_trial] == ["/, arm b: evaluator mine: still on trial"]
    assert reflex_snakes(routes, [inspection]) == ["/"]


async def test_a_check_waits_for_the_end_of_trials() -> None:
    """The fault is known only then."""
    service = ListingService("area", "mine")
    service.listed.evaluators_on_trial.append("mine")
    routes = _routes('{ name = "a", strategy = "paranoid/mine" }')
    async with scripted_searcher.searcher(service) as target, SearcherPool(target) as pool:
        await pool.open([""])
        looking = asyncio.create_task(inspect_tried(pool, routes, "", 20))
        while service.lists < 3:
            await asyncio.sleep(0.01)
        assert not looking.done()
        service.listed = listing("area")
        service.listed.faulty_evaluators.add(name="mine", reason="it is slow")
        assert [fault.detail for fault in (await looking).faults] == ["it is slow"]


async def test_auto_is_accepted_if_the_searcher_has_it() -> None:
    """A searcher that lists no strategies of `auto`, such as an older one, refuses it."""
    routes = _routes('{ name = "a", strategy = "auto" }')
    service = ListingService("area")
    assert (await _inspect(service, routes)).faults == ()
    service.listed.ClearField("auto_strategies")
    [fault] = (await _inspect(service, routes)).faults
    assert str(fault) == "/, arm a: unknown search 'auto'; valid: paranoid"


@pytest.mark.parametrize(
    ("target", "is_unresolved"),
    [(NOBODY, False), ("searcher.invalid:50051", True), ("ipv4:1.2.3.400:5", True)],
)
async def test_a_name_without_an_address_is_told_apart_from_a_dead_searcher(
    target: str, is_unresolved: bool
) -> None:
    """A searcher that is down may come back; a name that does not resolve is a mistake."""
    routes = _routes('{ name = "a", strategy = "x/y" }')
    async with SearcherPool(target) as pool:
        await pool.open(strategy_check.targets_of(routes))
        [inspection] = await inspect_all(pool, routes, 0.3)
    assert inspection.trouble and inspection.is_unresolved == is_unresolved and not inspection.faults


async def test_a_snake_plays_only_reflexes_if_no_arm_that_it_draws_can_be_searched() -> None:
    """An arm without faults saves the snake, but not one that is never drawn; shadows don't matter."""
    wrong = 'strategy = "paranoid/aria"'
    for right, expected in (("", []), ("weight = 0", ["/"])):
        routes = _routes(f'{{ name = "a", {wrong} }}', f'{{ name = "b"{right and ", " + right} }}')
        assert reflex_snakes(routes, [await _inspect(ListingService("area"), routes)]) == expected
    shadowed = _routes('{ name = "a" }')
    snake = toml.decode(
        f'[[snakes]]\npath = "/"\narms = [{{ name = "a" }}]\nshadows = [{{ name = "s", {wrong} }}]'.encode(),
        Routes,
    )
    inspection = await _inspect(ListingService("area"), snake)
    [fault] = inspection.faults
    assert str(fault).startswith("/, shadow s: ")
    assert reflex_snakes(shadowed, [inspection]) == []


def test_the_source_of_a_snake_is_the_file_or_the_option() -> None:
    """A snake that the file does not have comes from the option."""
    file, fault = Path("routes.toml"), Fault("/", "default", "unknown search", "a", ("b",), is_played=True)
    option = Routes(snakes=[config.default_snake("a/b", None)])
    assert explain(fault, option, "a/b", None, file) == ("--strategy", fault.reason)
    assert explain(fault, _routes('{ name = "x" }'), "a/b", None, file) == ("routes.toml", str(fault))
