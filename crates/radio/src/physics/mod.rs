//! The physics of radio: how strong a signal arrives, how much noise is there, and what can be decoded.
