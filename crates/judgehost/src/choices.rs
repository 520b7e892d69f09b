//! Decides which scripts of the server run, and which are replaced by the judge's own languages and comparison.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::api::Api;
use crate::compile::Toolchain;
use crate::defaults::{DefaultScripts, Role};
use crate::progress::Progress;
use crate::tasks::Id;

/// A script of the server.
#[derive(Clone, Debug)]
pub(crate) struct Script<'a> {
    pub(crate) role: Role,
    pub(crate) id: Id,
    /// The server's hash of the script; empty if the server does not state it.
    pub(crate) hash: &'a str,
}

/// Decides about scripts, and reports each decision once.
pub(crate) struct Choices {
    toolchain: Toolchain,
    defaults: DefaultScripts,
    /// The decisions that were reported: the role and id of a script, and whether it is replaced.
    reported: RefCell<BTreeSet<(Role, Id, bool)>>,
}

impl Choices {
    pub(crate) fn new(toolchain: Toolchain, defaults: DefaultScripts) -> Choices {
        Choices { toolchain, defaults, reported: RefCell::default() }
    }

    /// Whether the judge's own part takes the place of `script`. That is so for DOMjudge's own scripts, if `fits` says
    /// for the script's name that the judge has such a part. With [`Toolchain::Server`], only the run script is
    /// replaced, because the replacement does exactly what the script does.
    pub(crate) fn replaces(&self, api: &Api<'_>, script: &Script<'_>, fits: impl FnOnce(&str) -> bool) -> bool {
        let is_replaced = self.replaceable(script.role, script.hash).is_some_and(fits);
        if self.reported.borrow_mut().insert((script.role, script.id.clone(), is_replaced)) {
            api.report(Progress::ScriptChosen {
                kind: script.role.word().to_owned(),
                id: script.id.to_string(),
                hash: script.hash.to_owned(),
                replaced: is_replaced,
            });
        }
        is_replaced
    }

    /// Returns DOMjudge's name of a script that can be replaced; `None` for the others.
    pub(crate) fn replaceable(&self, role: Role, hash: &str) -> Option<&'static str> {
        let may_be_replaced = self.toolchain == Toolchain::Own || role == Role::Run;
        self.defaults.name_of(role, hash).filter(|_| may_be_replaced)
    }
}
