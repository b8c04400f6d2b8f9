"""Maps of corridors between walls of hazards, which kill if a turn in them costs enough health."""
