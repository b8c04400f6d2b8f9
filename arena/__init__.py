"""The arena: plays Battlesnakes against each other and measures which of them is stronger.

Its packages from the ground up: statistics, records, pool, players, games, matches, gauntlet, tuning and
report, commands. Each imports only those before it; compliance stands apart.
"""
