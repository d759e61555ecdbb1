"""ExecuTorch."""
