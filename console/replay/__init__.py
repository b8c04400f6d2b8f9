"""Games of other servers, and games in files of the official engine."""
