//! The languages whose tools are here, and what their tools say of themselves.

use std::sync::Arc;

use rayon::prelude::*;

use crate::event::{LanguageFound, ToolFound};
use crate::language::{Language, Table, Tool};
use crate::printable::printable;
use crate::toolchain;

pub(super) fn found(known: &Table) -> Vec<LanguageFound> {
    known.languages.par_iter().map(look_for).collect()
}

fn look_for(language: &Language) -> LanguageFound {
    let tools = language.tools();
    let missing = tools.iter().find_map(|tool| tool.find().err());
    LanguageFound {
        language: language.name.clone(),
        tools: tools.iter().filter_map(|tool| look_at(tool)).collect(),
        missing: missing.map(|missing| missing.to_string()),
    }
}

fn look_at(tool: &Arc<Tool>) -> Option<ToolFound> {
    let path = &tool.find().ok()?.path;
    let path = printable(path.as_os_str().as_encoded_bytes());
    Some(ToolFound { name: tool.name.clone(), path, version: toolchain::version(tool) })
}
