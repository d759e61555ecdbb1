"""One file per framework: every kind of layer of the neutral network, in that framework's words."""
