//! CBBA as a whole.
