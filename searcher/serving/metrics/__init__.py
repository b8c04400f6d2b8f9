"""The metrics of a searcher, and where Prometheus reads them."""
