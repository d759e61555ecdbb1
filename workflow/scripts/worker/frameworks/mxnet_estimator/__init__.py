"""MXNet by the Estimator of Gluon."""
