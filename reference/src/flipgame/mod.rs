//! The flip game: board and rules.
