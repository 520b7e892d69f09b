//! Reports: each is fed the same events and renders them in its own way, one file each.

mod agreement;
mod backdrop;
mod boards;
mod caveats;
mod close;
mod diagnosis;
mod diff;
mod failure;
mod generated;
pub mod github;
mod histogram;
pub mod html;
mod hunted;
pub mod jsonl;
pub mod junit;
pub mod merge;
pub mod progress;
mod scores;
mod strength;
mod submissions;
mod table;
mod talk;
pub mod terminal;
mod verification;
mod whole;

use std::io;
use std::rc::Rc;

use crate::event::Event;
pub use backdrop::{Backdrop, CaseTexts};
use progress::Doing;
pub use table::{counted, wrapped};
pub use whole::Destination;

/// What a run is about, for those who report it.
#[derive(Default)]
pub struct Subject {
    /// The same in one line.
    pub heading: String,
    /// Knows the package.
    pub backdrop: Option<Rc<dyn Backdrop>>,
    /// Tells what is being done at the moment.
    pub doing: Option<Doing>,
}

/// Something that renders events.
pub trait Report {
    /// Renders one event.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Stops drawing on standard error for good: the command is about to write there itself.
    fn leave_standard_error(&mut self) {}

    /// Nothing more will come. If the run came to its end the report is whole; else it is left as a part of one.
    fn finish(self: Box<Self>, is_whole: bool) -> io::Result<()>;
}
