"""The only code that enters a framework's environment; runs on Python 3.6 to 3.13."""
