"""The dashboard for players: the snake's times, its depths, and its wins."""

from infra.monitoring.panels import Dashboard, Panel, Query, Row, Variable

_SNAKE = 'snake=~"$snake"'


def _rate(metric: str, by: str, labels: str = _SNAKE) -> str:
    return f"sum by ({by}) (rate({metric}{{{labels}}}[$__rate_interval]))"


PLAYERS = Dashboard(
    "players",
    "Battlesnake: players",
    "Whether each snake is in time, how deep it looks ahead, and how its games end, by arm.",
    variables=(Variable("snake", "Snake", "label_values(gateway_arm_moves_total, snake)"),),
    rows=(
        Row(
            "Now",
            (
                Panel(
                    "Games in progress",
                    "A game counts once for each of our snakes in it.",
                    (Query("sum(gateway_games_playing)", "games"),),
                    width=6,
                    kind="stat",
                ),
                Panel(
                    "Late answers",
                    "Share of the answers in five minutes that the engine got too late.",
                    (
                        Query(
                            f"sum(rate(gateway_late_moves_total{{{_SNAKE}}}[5m]))"
                            f" / sum(rate(gateway_arm_moves_total{{{_SNAKE}}}[5m]))",
                            "late",
                        ),
                    ),
                    unit="percentunit",
                    width=6,
                    kind="stat",
                ),
                Panel(
                    "Reflexes",
                    "Share of the moves without a search, in five minutes: no searcher answered in time.",
                    (
                        Query(
                            'sum(rate(gateway_moves_total{source="reflex"}[5m]))'
                            " / sum(rate(gateway_moves_total[5m]))",
                            "reflexes",
                        ),
                    ),
                    unit="percentunit",
                    width=6,
                    kind="stat",
                ),
                Panel(
                    "Mean depth",
                    "Turns that searches look ahead, in five minutes.",
                    (
                        Query(
                            f"sum(rate(gateway_search_depth_sum{{{_SNAKE}}}[5m]))"
                            f" / sum(rate(gateway_search_depth_count{{{_SNAKE}}}[5m]))",
                            "turns",
                        ),
                    ),
                    width=6,
                    kind="stat",
                ),
            ),
            height=4,
        ),
        Row(
            "Moves",
            (
                Panel(
                    "Moves a second",
                    "By origin: a whole search, the best so far of one that was cut off, or a reflex.",
                    (Query("sum by (source) (rate(gateway_moves_total[$__rate_interval]))", "{{source}}"),),
                    stacked=True,
                ),
                Panel(
                    "Time of an answer",
                    "From the request's arrival to the answer: half, and 99 of 100, take no longer.",
                    tuple(
                        Query(
                            f"histogram_quantile({share}, {_rate('gateway_move_seconds_bucket', 'le', '')})",
                            f"p{share * 100:g}",
                        )
                        for share in (0.5, 0.99)
                    ),
                    unit="s",
                ),
                Panel(
                    "Depth by arm",
                    "Turns that searches look ahead.",
                    (
                        Query(
                            f"{_rate('gateway_search_depth_sum', 'snake, arm')}"
                            f" / {_rate('gateway_search_depth_count', 'snake, arm')}",
                            "{{snake}} {{arm}}",
                        ),
                    ),
                ),
            ),
        ),
        Row(
            "Games",
            (
                Panel(
                    "Games an hour",
                    "Games that ended, by their result.",
                    (Query(f"{_rate('gateway_games_total', 'result')} * 3600", "{{result}}"),),
                    stacked=True,
                ),
                Panel(
                    "Wins by arm",
                    "Share of the games of six hours that each arm won. The console says what is certain.",
                    (
                        Query(
                            "sum by (snake, arm) "
                            f'(increase(gateway_games_total{{result="win",{_SNAKE}}}[6h]))'
                            f" / sum by (snake, arm) (increase(gateway_games_total{{{_SNAKE}}}[6h]))",
                            "{{snake}} {{arm}}",
                        ),
                    ),
                    unit="percentunit",
                    most=1,
                ),
                Panel(
                    "Late answers by arm",
                    "Answers a second that the engine reported as late.",
                    (Query(_rate("gateway_late_moves_total", "snake, arm"), "{{snake}} {{arm}}"),),
                ),
            ),
        ),
    ),
)
