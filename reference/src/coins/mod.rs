//! Sliding coins: board and rules.
