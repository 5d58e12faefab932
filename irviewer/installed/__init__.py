"""What is installed beside the core: extensions by other packages, and the parts that need further packages."""
