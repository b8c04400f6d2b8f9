#!/bin/sh
# Remove from an environment, or from a bundle, what no service reads: searcher/bundle/slim.sh FOLDER
#
# What stays runs without a compiler, pip or a shell. The licences of all packages stay, too.
set -eu

cd "$1"
# Commands such as alembic: services start by `python -m`. What is left in bin/ are the links to Python.
find bin -type f -delete
# The packages' own tests, and helpers for tests.
find lib -depth -type d \( -name tests -o -name testing \) -exec rm -r {} +
find lib -type f \( -name '_*_tests.*.so' -o -path '*/numpy/*/_simd.*.so' \) -delete
# NumPy's compilers of extensions.
find lib -depth -type d \( -path '*/numpy/f2py' -o -path '*/numpy/distutils' \) -exec rm -r {} +
# Declarations for type checkers and compilers, sources of extensions that are compiled already, static libraries.
find lib -type f \( -name '*.pyi' -o -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' \
  -o -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.a' \) -delete
# Symbols for debuggers. The libraries that wheels bundle stay as they are: their builders have moved what is in them,
# and some can't be loaded once they are stripped.
if command -v strip >/dev/null; then
  find lib -type f \( -name '*.so' -o -path 'lib/system/*python*' \) ! -path '*.libs/*' -exec strip --strip-unneeded {} +
fi
