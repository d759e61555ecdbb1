"""MXNet by Module.fit."""
