//! Does nothing. It exists because Cargo ignores the build dependencies of a crate without a build script.

fn main() {}
