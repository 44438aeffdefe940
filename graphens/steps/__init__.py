"""Steps that several consensus functions share."""
