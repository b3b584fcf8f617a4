"""The notebooks of tradekit, installed as the package `tradekit_notebooks`."""
