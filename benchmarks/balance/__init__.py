"""How games share several searchers, and how soon that follows a change."""
