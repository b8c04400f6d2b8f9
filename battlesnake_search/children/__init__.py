"""Child processes that serve on a Unix socket."""
