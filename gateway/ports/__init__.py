"""The ports on which strangers call: what they may hold open, who sees more, and the headers of answers."""
