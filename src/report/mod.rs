//! Reports: each is fed the same events and renders them in its own way, one file each.

mod agreement;
mod diagnosis;
mod diff;
mod failure;
mod generated;
pub mod github;
mod histogram;
mod hunted;
pub mod jsonl;
pub mod junit;
mod scores;
mod strength;
mod table;
mod talk;
pub mod terminal;
mod verification;
mod whole;

use std::io;

use crate::event::Event;
pub use table::wrapped;
pub use whole::Destination;

/// Something that renders events.
pub trait Report {
    /// Renders one event.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Completes the report; after an interruption, too.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
