"""Tools without any game in them: lazy names, checked arguments, files written whole, tables that people bring."""
