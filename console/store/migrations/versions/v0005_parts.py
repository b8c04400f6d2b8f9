"""Several views of a game, one for each gateway that saw some of its moves."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_KEY = "outcomes_pkey"
"""The name that PostgreSQL has given to the key; SQLite keeps none."""

_NAMES = {"pk": "%(table_name)s_pkey"}


def upgrade() -> None:
    """Add the columns; existing rows are whole games of one view. The size of a game includes its header."""
    with op.batch_alter_table("outcomes", naming_convention=_NAMES) as table:
        table.add_column(sa.Column("part", sa.Text, nullable=False, server_default=""))
        table.add_column(sa.Column("ended", sa.Boolean, nullable=False, server_default=sa.true()))
        table.add_column(sa.Column("last_turn", sa.Integer))
        table.drop_constraint(_KEY, type_="primary")
        table.create_primary_key(_KEY, ["game_id", "snake_id", "part"])
    op.execute("UPDATE games SET bytes = bytes + length(header)")
