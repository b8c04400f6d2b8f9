"""Parts that several test packages share: real programs, requests and processes."""

import os

# PostgreSQL and Ray start their processes by a fork of the tests' process, and gRPC's fork handlers crash the
# child while channels are in use. gRPC reads the variable when it is imported.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "false"
