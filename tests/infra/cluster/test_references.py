"""What pods and routes name."""

from infra.cluster.references import needs_of_pod, needs_of_route


def test_a_pod_needs_what_it_mounts_and_reads_unless_that_is_optional() -> None:
    """Volumes without either, such as a temporary one, name nothing."""
    volumes = [
        {"name": "tokens", "secret": {"secretName": "admin-tokens"}},
        {"name": "routes", "configMap": {"name": "routes", "optional": False}},
        {"name": "tmp", "emptyDir": {}},
        {"name": "maybe", "secret": {"secretName": "maybe", "optional": True}},
    ]
    settings = [{"configMapRef": {"name": "settings"}}, {"secretRef": {"name": "password", "optional": True}}]
    named = set(needs_of_pod({"volumes": volumes, "containers": [{"envFrom": settings}, {}]}))
    assert named == {("Secret", "admin-tokens"), ("ConfigMap", "routes"), ("ConfigMap", "settings")}


def test_a_route_needs_its_gateway_and_the_ports_of_services() -> None:
    """Of all its rules."""
    backends = [[{"kind": "Service", "name": name, "port": 80, "weight": 1}] for name in ("stable", "canary")]
    rules = [{"backendRefs": each} for each in backends]
    route = {"parentRefs": [{"kind": "Gateway", "name": "engines"}], "rules": rules}
    named = set(needs_of_route(route))
    assert named == {("Gateway", "engines"), ("Service", "stable:80"), ("Service", "canary:80")}
