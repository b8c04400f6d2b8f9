"""The contract's generated code; its names of rulesets and causes of death; the mark of uncounted games."""
