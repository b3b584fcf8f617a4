"""Everything that draws: controls and pages as HTML, pictures as SVG, and Altair charts that need no network."""
