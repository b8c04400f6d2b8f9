"""Data to learn from: positions of many games, with what each snake did and how it ended.

A folder of Parquet files, each with whole games; `schema` describes their columns. `playing` plays games for
it, `recorded` reads those of others, and `columns` reads a folder into arrays.
"""
