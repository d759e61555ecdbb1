"""How far a framework's first steps may be from the reference: relative errors by quantity."""

FLOAT32 = {
    "logits": 1e-3,
    "loss": 1e-3,
    "gradient_norm": 1e-2,
    "gradient": 2e-2,
    "update": 2e-2,
    "momentum": 2e-2,
    "logits_after": 1e-2,
}
