"""Checks of the deployment files by the tools that read them."""
