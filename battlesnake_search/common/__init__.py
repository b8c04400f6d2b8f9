"""The parts that all programs of the project share: command lines, logs, traces, metrics, tokens."""
