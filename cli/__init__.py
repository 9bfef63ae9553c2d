"""The command line `xsf`: parse, call the library, show."""
