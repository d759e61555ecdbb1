"""The runs that a study file requests: validation, plug-ins, expansion."""
