"""The values that a gateway tells a console. Both stand above this package."""
