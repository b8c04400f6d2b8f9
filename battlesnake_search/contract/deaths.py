"""The causes of death that `Death.cause` of the contract may name."""

from enum import StrEnum


class Cause(StrEnum):
    """The cause of a death, as the official engine names it."""

    HUNGER = "out-of-health"
    HAZARD = "hazard"
    WALL = "wall-collision"
    SELF = "snake-self-collision"
    BODY = "snake-collision"
    HEAD = "head-collision"
