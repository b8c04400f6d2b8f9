"""The tables and pictures of docs/capacity.md: the cores that games need, and their cost."""
