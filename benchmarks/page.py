def write_page(): pass
