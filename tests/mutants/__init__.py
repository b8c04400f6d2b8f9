"""Mutation testing: small changes of the code, and whether a test notices each of them.

Cosmic Ray makes the changes. What is here chooses a sample of them and the tests that should notice.
"""
