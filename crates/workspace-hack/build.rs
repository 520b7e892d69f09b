//! Does nothing: Cargo ignores build dependencies without a build script.

fn main() {}
