"""Games in the browser: the server, and the page that it ships."""
