"""The autoscaler of Kubernetes and what it measures, by its documented rules."""
