"""Statistics of a match: functions of the points that an entrant got in each block."""
