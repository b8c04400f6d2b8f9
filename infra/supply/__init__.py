"""The supply of the project: locked versions with hashes, known vulnerabilities, a list of parts."""
