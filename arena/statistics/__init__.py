"""What a match says of its entrants: pure functions of the points that they got in its blocks."""
