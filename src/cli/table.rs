//! The options for the table of programs and for the details below it.

use clap::{Args, ValueEnum};

use referee_report::view::{Details, Longest, Sort, View};

/// How the terminal shows the programs.
#[derive(Debug, Args)]
pub(super) struct TableArguments {
    /// The programs with details below the table [default: failing, but short if more than 5 fail]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Reports")]
    details: Option<DetailsArgument>,

    /// The order of the table [default: the order in which the programs are judged]
    #[arg(long, value_enum, value_name = "BY", help_heading = "Reports")]
    sort: Option<SortArgument>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DetailsArgument {
    /// Every program that is not as expected, in full
    Failing,
    /// Also programs that fail as expected, and the scores of all groups
    All,
    /// No program
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SortArgument {
    /// By name; numbers in names by their value
    Name,
    /// Accepted programs first
    Verdict,
    /// Most points first; without points, the highest score first
    Points,
    /// Slowest first
    Time,
}

impl TableArguments {
    /// Returns how to show the programs. `longest` is `None` if their names are not known in advance.
    pub(super) fn view(&self, longest: Option<Longest>) -> View {
        let details = match self.details {
            None => Details::ShortIfMany,
            Some(DetailsArgument::Failing) => Details::Failing,
            Some(DetailsArgument::All) => Details::All,
            Some(DetailsArgument::None) => Details::None,
        };
        let sort = self.sort.map(|sort| match sort {
            SortArgument::Name => Sort::Name,
            SortArgument::Verdict => Sort::Verdict,
            SortArgument::Points => Sort::Points,
            SortArgument::Time => Sort::Time,
        });
        View { details, sort, longest }
    }
}
