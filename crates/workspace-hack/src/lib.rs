//! Makes every build of the workspace use the same features of its dependencies.
//!
//! For each dependency, Cargo enables the features that the crates of the current build ask for. Tests use libraries
//! that ask for more features than the program. So `cargo test` and `cargo run` would compile some dependencies twice.
//! The manifest of this crate asks for all of these features, and the program depends on this crate. There is no code
//! here.
