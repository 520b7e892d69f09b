//! The format of a file of languages. `languages.toml` itself documents each key.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::template::TemplateWord;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) language: Vec<LanguageRow>,
    #[serde(default)]
    pub(super) tool: Vec<ToolRow>,
    #[serde(default)]
    pub(super) choice: Vec<ChoiceRow>,
}

/// Declares the type of a row, with one required key and optional columns. Its method `override_with` overrides one row
/// with another.
macro_rules! row {
    ($name:ident, $key:ident, { $($column:ident: $type:ty,)* }) => {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name {
            pub(super) $key: Spanned<String>,
            $(pub(super) $column: Option<$type>,)*
        }

        impl $name {
            /// Replaces the values of the columns that `later` contains.
            pub(super) fn override_with(&mut self, later: $name) {
                $(self.$column = later.$column.or(self.$column.take());)*
            }
        }
    };
}

row!(LanguageRow, id, {
    name: String,
    endings: Vec<String>,
    other_endings: Vec<String>,
    wins_over: Vec<String>,
    shebang: String,
    unlike: String,
    main_files: Vec<String>,
    entry_point: String,
    entry_point_file: String,
    entry_point_by_file: String,
    entry_point_by_main: bool,
    file_by_public_type: bool,
    compile: Vec<TemplateWord>,
    headers: Vec<String>,
    precompile: Vec<TemplateWord>,
    precompile_plugin: Vec<TemplateWord>,
    compiler_archive: Vec<TemplateWord>,
    compile_together: Vec<TemplateWord>,
    compile_metamutant: Vec<TemplateWord>,
    run: Vec<TemplateWord>,
    warm_until: TemplateWord,
    substitute: String,
    environment: BTreeMap<String, TemplateWord>,
});

row!(ToolRow, name, {
    commands: Vec<String>,
    install: String,
    version: Vec<String>,
    real: Vec<String>,
    readable: Vec<PathBuf>,
    needs: Vec<PathBuf>,
});

row!(ChoiceRow, name, {
    tool: String,
    alternatives: Vec<Vec<String>>,
    trial: Vec<String>,
    source: String,
    remark: String,
});
