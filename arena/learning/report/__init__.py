"""What a fit found, for a terminal and as a page."""
