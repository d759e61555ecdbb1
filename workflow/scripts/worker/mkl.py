"""What an MKL in this process says of itself."""

import ctypes


def version(library):
    """The version of the MKL in a library that is loaded, by its name or path."""
    text = ctypes.create_string_buffer(200)
    ctypes.CDLL(library).MKL_Get_Version_String(text, len(text))
    return text.value.decode().strip()
