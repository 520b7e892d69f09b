//! Solitaire: board and rules.
