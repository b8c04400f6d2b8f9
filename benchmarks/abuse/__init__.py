"""What strangers can do to a gateway and a searcher, all at once, while games go on."""
