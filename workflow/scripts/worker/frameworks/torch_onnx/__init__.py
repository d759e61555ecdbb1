"""ONNX Runtime, by PyTorch's own exporter."""
