"""What a call returns, and what one asks it: explaining, updating, constraints."""
