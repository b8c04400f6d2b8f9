"""The commands that read recorded games and outcomes, one file for each, with few imports."""
