"""The dashboard for operators: the load of searchers, refusals, losses, and the running programs."""

from infra.monitoring.panels import Dashboard, Panel, Query, Row, Variable

_SEARCHER = 'instance=~"$searcher"'


def _rate(metric: str, labels: str = _SEARCHER) -> str:
    return f"rate({metric}{{{labels}}}[$__rate_interval])"


def _quantile(share: float, metric: str) -> Query:
    expression = f"histogram_quantile({share}, sum by (le) (rate({metric}_bucket[$__rate_interval])))"
    return Query(expression, f"p{share * 100:g}")


def _lag(service: str) -> Query:
    rate = f"sum by (le, instance) (rate({service}_event_loop_lag_seconds_bucket[$__rate_interval]))"
    return Query(f"histogram_quantile(0.9, {rate})", f"p90 {service} {{{{instance}}}}")


_SEARCHES = Row(
    "Searches",
    (
        Panel(
            "Searches for each worker",
            "Searches that run or wait, for each worker: 1 is a core for each. Autoscalers follow this.",
            (
                Query(
                    f"{_rate('searcher_demand_seconds_total')} / searcher_workers{{{_SEARCHER}}}",
                    "{{instance}}",
                ),
            ),
        ),
        Panel(
            "Share of the time",
            "Part of the time asked for that searches got: half of them get less than p50.",
            (_quantile(0.1, "searcher_time_share_ratio"), _quantile(0.5, "searcher_time_share_ratio")),
            unit="percentunit",
            most=1,
        ),
        Panel(
            "Wait for a worker",
            "Time from a search's admission to its start.",
            (_quantile(0.5, "searcher_queue_wait_seconds"), _quantile(0.99, "searcher_queue_wait_seconds")),
            unit="s",
        ),
        Panel(
            "Nodes a second",
            "Nodes of each worker's second of searching.",
            (
                Query(
                    f"sum by (instance) ({_rate('searcher_search_nodes_total')})"
                    f" / sum by (instance) ({_rate('searcher_search_seconds_sum')})",
                    "{{instance}}",
                ),
            ),
        ),
        Panel(
            "Searches without a processor",
            "Part of the time of running searches in which others had the processor: 0 where limits suit.",
            (
                Query(
                    f"sum by (instance) ({_rate('searcher_starved_seconds_total')})"
                    f" / sum by (instance) ({_rate('searcher_search_seconds_sum')})",
                    "{{instance}}",
                ),
            ),
            unit="percentunit",
        ),
        Panel(
            "Ends of searches",
            "By reason. A deadline is the rule; a failure is a fault of an evaluator.",
            (Query(f"sum by (stop_reason) ({_rate('searcher_searches_total')})", "{{stop_reason}}"),),
            stacked=True,
        ),
        Panel(
            "Results after their deadline",
            "How much later than its deadline a result is ready.",
            (_quantile(0.5, "searcher_overrun_seconds"), _quantile(0.99, "searcher_overrun_seconds")),
            unit="s",
        ),
    ),
)

_REFUSALS = Row(
    "Refused and lost",
    (
        Panel(
            "Requests without a search",
            "By gRPC status code. RESOURCE_EXHAUSTED: there is no time for another one.",
            (Query(f"sum by (code) ({_rate('searcher_searches_refused_total')})", "{{code}}"),),
        ),
        Panel(
            "Failed calls",
            "Calls of gateways that a searcher refused or aborted, by gRPC status code.",
            (Query("sum by (code) (rate(gateway_searcher_failures_total[$__rate_interval]))", "{{code}}"),),
        ),
        Panel(
            "Refused callers and connections",
            "Calls without leave, wrong passwords at the admin port, connections that gateways ended.",
            (
                Query(f"sum by (reason) ({_rate('searcher_calls_refused_total')})", "call: {{reason}}"),
                Query(
                    "sum by (reason) (rate(gateway_refused_passwords_total[$__rate_interval]))",
                    "password: {{reason}}",
                ),
                Query(
                    "sum by (reason) (rate(gateway_connections_ended_early_total[$__rate_interval]))",
                    "connection: {{reason}}",
                ),
            ),
        ),
        Panel(
            "Handshakes without a call",
            "TLS handshakes in ten minutes after which nobody called: a certificate was refused.",
            (
                Query(
                    f"increase(searcher_tls_handshakes_total{{{_SEARCHER}}}[10m])"
                    f" - increase(searcher_connections_total{{{_SEARCHER}}}[10m])",
                    "{{instance}}",
                ),
            ),
        ),
        Panel(
            "Outcomes and records of games",
            "What waits for the database, and what was lost in ten minutes.",
            (
                Query("gateway_outcomes_waiting", "outcomes wait, {{instance}}"),
                Query("gateway_game_records_waiting", "records wait, {{instance}}"),
                Query('increase(gateway_outcomes_total{fate="lost"}[10m])', "outcomes lost, {{instance}}"),
                Query('increase(gateway_game_records_total{fate="lost"}[10m])', "records lost, {{instance}}"),
            ),
        ),
        Panel(
            "Shadows that were dropped",
            "Positions that shadows did not search, because too many searches were running.",
            (Query("sum by (shadow) (rate(gateway_shadow_drops_total[$__rate_interval]))", "{{shadow}}"),),
        ),
    ),
)

_PROCESSES = Row(
    "Processes",
    (
        Panel(
            "Overhead of the gateway",
            "Time of an answer on top of its search, of moves whose first call completed its search.",
            (_quantile(0.5, "gateway_overhead_seconds"), _quantile(0.99, "gateway_overhead_seconds")),
            unit="s",
        ),
        Panel(
            "Lag of event loops",
            "How late what is due is called; looked at once a second.",
            (_lag("gateway"), _lag("searcher")),
            unit="s",
        ),
        Panel(
            "Cores",
            "Processor time of each process.",
            (
                Query(
                    'rate(process_cpu_seconds_total{job="gateway"}[$__rate_interval])', "gateway {{instance}}"
                ),
                Query("rate(searcher_process_cpu_seconds_total[$__rate_interval])", "searcher {{instance}}"),
            ),
        ),
        Panel(
            "Memory",
            "Resident memory of each process.",
            (
                Query('process_resident_memory_bytes{job="gateway"}', "gateway {{instance}}"),
                Query("searcher_process_resident_memory_bytes", "searcher {{instance}}"),
            ),
            unit="bytes",
        ),
        Panel(
            "Parts to compile",
            "Parts of code that a searcher has yet to compile. With prebuilt code there are none.",
            (Query('searcher_compile_parts{state="waiting"}', "{{instance}}"),),
        ),
        Panel(
            "What runs",
            "Versions and code of the processes. During a deployment there are two.",
            (
                Query("count by (version) (gateway_build_info)", "gateway {{version}}"),
                Query(
                    "count by (version, code, target) (searcher_build_info)",
                    "searcher {{version}} {{code}} {{target}}",
                ),
                Query("sum(searcher_serving)", "searchers that serve"),
            ),
        ),
    ),
)

OPERATORS = Dashboard(
    "operators",
    "Battlesnake: operators",
    "How busy the searchers are, what is refused or lost, and what the processes take.",
    variables=(Variable("searcher", "Searcher", "label_values(searcher_workers, instance)"),),
    rows=(_SEARCHES, _REFUSALS, _PROCESSES),
)
