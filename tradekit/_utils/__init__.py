"""Tools that know nothing of games: lazy names, checked arguments, files written whole, tables that people bring."""
