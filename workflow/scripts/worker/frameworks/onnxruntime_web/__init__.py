"""ONNX Runtime Web."""
