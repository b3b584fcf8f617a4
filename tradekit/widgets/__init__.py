"""The thin layer of widgets: Python writes the page, one small script shows it and says what was clicked."""
