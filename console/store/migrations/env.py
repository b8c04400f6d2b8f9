"""The script that alembic runs for each command, on the connection in its configuration."""

from alembic import context

from console.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
