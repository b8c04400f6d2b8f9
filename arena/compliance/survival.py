"""Which moves kill a snake for sure, whatever the others do."""

from arena.compliance.requests import Body

_STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def safe_moves(body: Body) -> list[str]:
    """The moves onto a cell of the board that no body of the position will hold after the turn.

    Not looked at: heads that may meet, health and hazards.
    """
    board, head = body["board"], body["you"]["body"][0]
    wrapped = body["game"]["ruleset"]["name"].startswith("wrapped")
    # Any last part moves on; where two are stacked, the one before it stays.
    held = {(part["x"], part["y"]) for snake in board["snakes"] for part in snake["body"][:-1]}
    safe = []
    for move, (dx, dy) in _STEPS.items():
        x, y = head["x"] + dx, head["y"] + dy
        cell = (x % board["width"], y % board["height"])
        if cell not in held and (wrapped or cell == (x, y)):
            safe.append(move)
    return safe
