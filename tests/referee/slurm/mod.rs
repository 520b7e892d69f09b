//! `referee grade --slurm`, with a fake Slurm. tests/slurm/run has a real one.

mod fake;
mod faults;
mod refusals;
mod runs;
mod scripts;
