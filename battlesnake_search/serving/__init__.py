"""A gRPC port for any program: its addresses and certificates, its callers and their limits, its metrics."""
