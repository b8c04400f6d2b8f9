"""The opponents of the pool that search, by name: the strategy and the weights of each."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchingOpponent:
    """The text of an opponent's entrant, without limits, and a line that describes it."""

    text: str
    description: str


SEARCHING_OPPONENTS: Mapping[str, SearchingOpponent] = {
    "feeder": SearchingOpponent(
        "brs/balanced,weight.length=1,weight.food=0.6,weight.area=0.05,weight.share=0.05",
        "Best-reply search; length above all.",
    ),
    "gambler": SearchingOpponent("mcts/balanced", "Monte Carlo tree search; every snake plays for itself."),
    "glutton": SearchingOpponent(
        "paranoid/hungry,weight.length=1.5,weight.area=0.1,weight.share=0.1,weight.denial=0,"
        "weight.area_crowd=0,weight.share_crowd=0,weight.length_crowd=0,weight.hunger_crowd=0,weight.contested_crowd=0",
        "Paranoid search; growth above all.",
    ),
    "landlord": SearchingOpponent("paranoid/area", "Paranoid search; area above all."),
    "maxn": SearchingOpponent("maxn/balanced", "MaxN search; every snake plays for itself."),
    "measurer": SearchingOpponent("paranoid/length", "Paranoid search; nothing but length and health."),
    "replier": SearchingOpponent("brs/balanced", "Best-reply search; the default evaluator."),
}
