"""The tiles of AMX, in which processors from Intel's Sapphire Rapids on multiply bfloat16.

From 5.16 on, Linux lets a process use them only after it has asked; one that hasn't is ended by
SIGILL at its first use. A program that it starts has to ask again.
Source: https://docs.kernel.org/arch/x86/xstate.html
"""

import ctypes

ARCH_PRCTL = 158  # the number of the system call on x86-64
ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA = 0x1023, 18


def request() -> bool:
    """Ask for their use by this process and its threads; False where Linux doesn't allow it."""
    system = ctypes.CDLL(None)
    return bool(system.syscall(ARCH_PRCTL, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA) == 0)
