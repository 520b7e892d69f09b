//! The languages whose tools are here, and what their tools say of themselves.

use std::path::Path;
use std::time::Duration;

use super::sandbox_for;
use crate::event::{LanguageFound, ToolFound};
use crate::language::{self, TABLE, Tool};
use crate::printable::printable;
use crate::sandbox::{Ended, Input, Limits, Run};

/// No tool needs more to say its version.
const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(20),
    memory_bytes: 1 << 30,
    output_bytes: 1 << 16,
};

pub(super) fn found() -> Vec<LanguageFound> {
    let one = |language: &'static language::Language| {
        let tools = language.tools();
        let missing = tools.iter().find_map(|tool| language::find_tool(tool.name).err());
        LanguageFound {
            language: language.name.to_owned(),
            tools: tools.iter().filter_map(|tool| look_at(tool)).collect(),
            missing: missing.map(|missing| missing.to_string()),
        }
    };
    TABLE.iter().map(one).collect()
}

fn look_at(tool: &Tool) -> Option<ToolFound> {
    let path = language::find_tool(tool.name).ok()?;
    let version = version(tool, &path);
    Some(ToolFound { name: tool.name.to_owned(), path: printable(path.as_os_str().as_encoded_bytes()), version })
}

/// Asked in the sandbox, where submissions will use it: a tool that does not work there is no use.
fn version(tool: &Tool, path: &Path) -> Option<String> {
    let sandbox = sandbox_for(vec![path.into(), tool.version.into()], language::tool_homes(path));
    let run = Run { arguments: Vec::new(), input: Input::Empty, limits: LIMITS };
    let outcome = sandbox.run(&run).ok().filter(|outcome| outcome.ended == Ended::Exited(0))?;
    let said = [&outcome.stdout, &outcome.stderr].into_iter().find(|said| !said.is_empty())?;
    let first = said.split(|&byte| byte == b'\n').next()?;
    Some(printable(first).trim().to_owned())
}
