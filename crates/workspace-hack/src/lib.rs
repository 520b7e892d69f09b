//! Makes every build of the workspace use the same features of its dependencies.
//!
//! For each dependency, Cargo enables the features that the crates of the current build ask for. Tests use libraries
//! that ask for more features than the program. So `cargo test` and `cargo run` would compile some dependencies twice.
//! The manifest of this crate asks for all of these features. Cargo builds it together with the program, because both
//! are `default-members` of the workspace. The program does not depend on it, so it need not be published. There is no
//! code here.
