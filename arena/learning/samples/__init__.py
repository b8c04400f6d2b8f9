"""What a fit works on: positions as samples, their values and what these should forecast."""
