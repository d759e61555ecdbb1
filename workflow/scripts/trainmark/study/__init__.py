"""From a study file to the runs it asks for: validation, plug-ins, expansion."""
