//! The web server: the page, one websocket per viewer, and who may come in.
