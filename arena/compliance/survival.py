"""The moves that do not certainly kill a snake."""

from arena.compliance.requests import Body

STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def safe_moves(body: Body) -> list[str]:
    """Return the moves onto a cell of the board that no body of the position occupies after the turn.

    Head-to-head collisions, health and hazards are ignored.
    """
    board, head = body["board"], body["you"]["body"][0]
    wrapped = body["game"]["ruleset"]["name"].startswith("wrapped")
    # The last part of a body moves on; a part stacked under it stays.
    held = {(part["x"], part["y"]) for snake in board["snakes"] for part in snake["body"][:-1]}
    safe = []
    for move, (dx, dy) in STEPS.items():
        x, y = head["x"] + dx, head["y"] + dy
        cell = (x % board["width"], y % board["height"])
        if cell not in held and (wrapped or cell == (x, y)):
            safe.append(move)
    return safe
