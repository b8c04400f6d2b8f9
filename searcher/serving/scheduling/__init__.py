"""Which requests are searched, when, and until when."""
