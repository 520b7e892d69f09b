//! Reports: terminal, JSON lines, JUnit XML, HTML, CSV, gradebooks, GitHub annotations.
//!
//! Every report receives the same events and shows them in its own way. Each kind of report has a file or folder of its
//! own.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod atomic_output;
mod bar_target;
mod boards;
mod case_details;
mod caveats;
mod close;
mod crosscheck;
pub mod csv;
mod details;
mod diagnosis;
mod diff;
mod failure;
mod first_error;
mod generated;
pub mod github;
pub mod gradebook;
mod graded;
mod histogram;
pub mod html;
mod hunted;
pub mod jsonl;
pub mod junit;
mod last_words;
mod layout;
mod marks;
pub mod merge;
pub mod progress;
mod row;
mod scores;
mod similarity;
mod strength;
mod submissions;
mod table;
pub mod terminal;
mod transcript;
pub mod verbosity;
mod verdict_counts;
mod verification;
pub mod view;

use std::io;
use std::rc::Rc;

pub use atomic_output::Destination;
pub use case_details::{CaseDetails, CaseTexts};
use progress::RunningPrograms;
use referee_event::Event;
pub use table::{counted, wrapped};
use view::View;

/// A description of the run, for its reports.
#[derive(Default)]
pub struct Subject {
    /// The run in one line.
    pub heading: String,
    /// Provides texts and pictures of the package; `None` if the run has no package.
    pub case_details: Option<Rc<dyn CaseDetails>>,
    /// A function that returns the names of the programs that run at the moment; `None` if the report does not show
    /// them.
    pub doing: Option<RunningPrograms>,
    /// How the terminal shows the submissions.
    pub view: View,
}

/// Renders events.
pub trait Report {
    /// Renders one event.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Calls `print`, which writes to standard error, while this report draws nothing there.
    fn while_not_drawing(&mut self, print: &dyn Fn()) {
        print();
    }

    /// Stops drawing on standard error for good, because the command itself writes there from now on.
    fn leave_standard_error(&mut self) {}

    /// Ends the report. If `is_complete` is false, the run did not finish, and the report remains a partial report.
    fn finish(self: Box<Self>, is_complete: bool) -> io::Result<()>;
}
