//! The `referee` command.

fn main() {}
