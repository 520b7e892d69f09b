//! Compiles a plugin with which GCC instantiates templates when it precompiles a header.
//!
//! The functions of `<bits/stdc++.h>` use hundreds of templates. GCC stores a list of these templates in the precompiled
//! header, and instantiates all of them at the end of every program, which takes longer than most programs themselves.
//! With the plugin, GCC stores them instantiated. The C++ standard allows a compiler to instantiate a template at either
//! point. Programs themselves are compiled without the plugin.
//!
//! This is an experiment, and no language uses it by default. GCC decides at the end of a program which constructors and
//! destructors share their code, but it has to decide that for the instantiated ones when it makes the header. So it can
//! inline and specialise other functions than without the plugin. A program with undefined behaviour could then get
//! another verdict, depending on whether the header was ready when the program was compiled.

use std::time::Duration;

use crate::build::own_source::OwnSource;
use crate::workspace::prepared::Kind;
use referee_language::Language;

/// The source of the plugin. GCC needs 0.1 s to compile it.
pub(crate) const PLUGIN: OwnSource = OwnSource {
    source: ("InstantiateTemplates.cpp", include_str!("InstantiateTemplates.cpp")),
    kind: Kind::Plugin,
    command: Language::precompile_plugin,
    most_time: Duration::from_secs(10),
};

/// The line that instantiates all templates which the text before it uses.
pub(crate) const PRAGMA: &str = "#pragma referee instantiate\n";
