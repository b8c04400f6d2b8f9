"""The tables and pictures of docs/capacity.md: how many games what carries, and what that costs."""
