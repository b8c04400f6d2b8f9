"""The locked versions of the project's packages."""
