"""The values that a gateway tells a console. The packages of both may import them."""
