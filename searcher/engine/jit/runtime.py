"""The part of Numba's runtime that compiled functions need, for processes without Numba.

A function that raises an exception reports it to `sys.unraisablehook` and returns 0. For that it calls the
functions defined here, written in LLVM's language on top of Python's C API. As in Numba, `numba_do_raise`
takes over the reference to its argument.
"""

from typing import Any, NoReturn

DEFINITIONS = """
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare ptr @PyImport_ImportModule(ptr)
declare ptr @PyBytes_FromStringAndSize(ptr, i64)
declare ptr @PyObject_CallMethod(ptr, ptr, ptr, ...)
declare void @Py_DecRef(ptr)

@module = private constant [28 x i8] c"searcher.engine.jit.runtime\\00"
@loads = private constant [6 x i8] c"loads\\00"
@pickle = private constant [7 x i8] c"pickle\\00"
@throw = private constant [6 x i8] c"throw\\00"
@object = private constant [2 x i8] c"O\\00"
@argument = private constant [4 x i8] c"(O)\\00"

define void @numba_gil_ensure(ptr %state) {
  %held = call i32 @PyGILState_Ensure()
  store i32 %held, ptr %state
  ret void
}

define void @numba_gil_release(ptr %state) {
  %held = load i32, ptr %state
  call void @PyGILState_Release(i32 %held)
  ret void
}

define ptr @numba_unpickle(ptr %data, i32 %size, ptr %digest) {
  %pickle = call ptr @PyImport_ImportModule(ptr @pickle)
  %wide = sext i32 %size to i64
  %bytes = call ptr @PyBytes_FromStringAndSize(ptr %data, i64 %wide)
  %value = call ptr (ptr, ptr, ptr, ...)
    @PyObject_CallMethod(ptr %pickle, ptr @loads, ptr @object, ptr %bytes)
  call void @Py_DecRef(ptr %bytes)
  call void @Py_DecRef(ptr %pickle)
  ret ptr %value
}

define i32 @numba_do_raise(ptr %exception) {
  %module = call ptr @PyImport_ImportModule(ptr @module)
  %none = call ptr (ptr, ptr, ptr, ...)
    @PyObject_CallMethod(ptr %module, ptr @throw, ptr @argument, ptr %exception)
  call void @Py_DecRef(ptr %exception)
  call void @Py_DecRef(ptr %module)
  ret i32 0
}

define ptr @numba_runtime_build_excinfo_struct(ptr %exception, ptr %arguments) {
  ret ptr %exception
}

define void @NRT_Free(ptr %memory) {
  ret void
}

define void @NRT_MemInfo_call_dtor(ptr %info) {
  ret void
}
"""
"""Definitions of the functions of Numba's runtime for code without allocations.

Such code never calls the last two. Arguments of an exception that are not constant are left out.
"""


def throw(raised: tuple[Any, tuple[Any, ...] | None, tuple[str, str, int] | None]) -> NoReturn:
    """Raise an exception described by compiled code: its class, arguments, and function, file and line."""
    kind, arguments, place = raised
    error = kind(*(arguments or ())) if isinstance(kind, type) else kind
    if place is not None:
        _, file, line = place
        # A traceback shows the line that raises, so raise from that line of that file.
        exec(compile("\n" * (line - 1) + "raise error", file, "exec"), {"error": error})
    raise error
