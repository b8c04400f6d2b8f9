"""Films and pictures of games: GIF, MP4, PNG and SVG of one drawing, and a page with the viewer."""
