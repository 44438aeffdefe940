"""What consensus functions share: steps from an ensemble to an outcome."""
