"""The console: the pages for people who run the gateway, and the JSON that the pages ask for."""
