"""Run by alembic for each of its commands: over the connection that it was handed."""

from alembic import context

from gateway.outcomes.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
