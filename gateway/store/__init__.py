"""What the gateway keeps: outcomes and games, in memory and in a database. Requests never wait for it."""
