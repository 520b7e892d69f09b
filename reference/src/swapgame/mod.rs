//! The black-and-white swap game: board and rules.
