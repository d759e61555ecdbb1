"""The version of the MKL in this process."""

import ctypes
from typing import Optional


def version(library: str) -> Optional[str]:
    """The version of the MKL in a loaded library, by its name or path; None if it doesn't say."""
    text = ctypes.create_string_buffer(200)
    loaded = ctypes.CDLL(library)
    if not hasattr(loaded, "MKL_Get_Version_String"):
        return None
    loaded.MKL_Get_Version_String(text, len(text))
    return text.value.decode().strip()
