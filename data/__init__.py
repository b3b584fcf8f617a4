"""The card decks of tradekit, installed as the package `tradekit_data`."""
