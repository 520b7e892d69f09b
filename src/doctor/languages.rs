//! Finds the languages whose tools are installed, and asks the tools for their versions.

use rayon::prelude::*;

use referee_event::LanguageFound;
use referee_judge::toolchain;
use referee_language::{Language, Table};

pub(super) fn find_all(known: &Table) -> Vec<LanguageFound> {
    known.languages.par_iter().map(find).collect()
}

fn find(language: &Language) -> LanguageFound {
    let tools = language.tools();
    let missing = tools.iter().find_map(|tool| tool.find().err());
    LanguageFound {
        language: language.name.clone(),
        tools: tools.iter().filter_map(|tool| toolchain::found(tool)).collect(),
        missing: missing.map(|missing| missing.to_string()),
        remark: Some(language.remarks().join("; ")).filter(|remark| !remark.is_empty()),
    }
}
