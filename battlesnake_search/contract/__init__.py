"""The contract's generated code, the names of rulesets, and the mark of games that do not count."""
