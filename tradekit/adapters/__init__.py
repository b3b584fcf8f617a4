"""The games in other libraries: `openspiel` for OpenSpiel, `pettingzoo` for PettingZoo.

Both know a game by its contract alone (`tradekit.game`), so that any game that keeps it can be played in both. They
number actions word by word (`words`), keep what was done and who has seen what (`play`), and turn views into arrays of
a fixed length (`facts`).
"""
