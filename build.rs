//! The packages of cases/ are embedded in the binary; a changed test case must rebuild it.

fn main() {
    println!("cargo:rerun-if-changed=cases");
    println!("cargo:rerun-if-changed=build.rs");
}
