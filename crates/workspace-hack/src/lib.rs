//! Makes every build of the workspace use the same features of its dependencies.
//!
//! Cargo enables the features of a dependency that the crates of one build ask for. Tests use libraries that ask for
//! more features than the program. So `cargo test` and `cargo run` would compile some dependencies twice. The manifest
//! of this crate asks for all of these features, and the command depends on it. There is no code here.
