"""The events that wait for the console: in memory while it answers, in a file while it is away."""
