"""The manifests of infra/kubernetes on a real control plane, whose nodes only pretend to run pods."""
