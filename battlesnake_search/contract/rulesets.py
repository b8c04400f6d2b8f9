"""The rulesets that `Ruleset.name` of the contract may name."""

RULESETS = ("standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor")
"""The rulesets, by their official names."""
