//! Options whose values are enums of the library crates.
//!
//! Each enum here repeats the variants of a library's enum and adds their help texts, so that the libraries do not
//! depend on the parser of the command line.

use clap::ValueEnum;
use clap::builder::{EnumValueParser, TypedValueParser};

use referee_compare::Dialect;
use referee_exchange::export::Judge;
use referee_sandbox::Mode;

/// Reads the value of `--sandbox`.
pub(super) fn sandbox_mode() -> impl TypedValueParser<Value = Mode> {
    EnumValueParser::<SandboxMode>::new().map(|mode| match mode {
        SandboxMode::Auto => Mode::Auto,
        SandboxMode::Strict => Mode::Strict,
        SandboxMode::Off => Mode::Off,
    })
}

#[derive(Clone, Copy, ValueEnum)]
enum SandboxMode {
    /// The strictest isolation that this machine offers; the report names missing parts.
    Auto,
    /// Full isolation; refuse to run if a part is missing.
    Strict,
    /// Limits without isolation, for debugging.
    Off,
}

/// Reads the value of `--as`.
pub(super) fn dialect() -> impl TypedValueParser<Value = Dialect> {
    EnumValueParser::<ValidatorDialect>::new().map(|dialect| match dialect {
        ValidatorDialect::Spec => Dialect::Spec,
        ValidatorDialect::Kattis => Dialect::Kattis,
        ValidatorDialect::Domjudge => Dialect::Domjudge,
    })
}

#[derive(Clone, Copy, ValueEnum)]
enum ValidatorDialect {
    /// The problem package format 2025-09
    Spec,
    /// Kattis problemtools 1.20260907
    Kattis,
    /// DOMjudge 8.3
    Domjudge,
}

/// Reads the value of `export --to`.
pub(super) fn export_target() -> impl TypedValueParser<Value = Judge> {
    EnumValueParser::<ExportTarget>::new().map(|target| match target {
        ExportTarget::Domjudge => Judge::Domjudge,
        ExportTarget::Kattis => Judge::Kattis,
    })
}

#[derive(Clone, Copy, ValueEnum)]
enum ExportTarget {
    /// DOMjudge.
    Domjudge,
    /// Kattis and problemtools.
    Kattis,
}
