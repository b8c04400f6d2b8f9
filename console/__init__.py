"""The console: a service that records the games of gateways, and shows them."""
