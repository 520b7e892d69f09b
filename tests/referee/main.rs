//! The integration tests: the reference solvers prove the data of cases/, and the tests run the command as users do.
// Helpers of tests may panic like tests, but clippy.toml exempts only the test functions themselves.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

referee_sandbox::init_before_main!(referee_judge::SANDBOX);

// The other modules use the macros of this module, so it must be declared first.
#[macro_use]
mod support;

mod aborts;
mod answer_validators;
mod answers;
mod architecture;
mod bad_input;
mod cache;
mod cache_of_others;
mod ci_files;
mod commands_crosscheck;
mod commands_doctor;
mod commands_generate;
mod commands_generate_closely;
mod commands_grade;
mod commands_grade_summary;
mod commands_grade_table;
mod commands_help;
mod commands_hunt;
mod commands_merge;
mod commands_puzzles;
mod commands_strength;
mod commands_strength_packages;
mod commands_strength_together;
mod commands_strength_validators;
mod commands_verify;
mod commands_watch;
mod crash_recovery;
mod data_kills_mutants;
mod dialects;
mod documents;
mod endurance;
mod exchange_export;
mod exchange_hostile;
mod exchange_import;
mod exchange_judged;
mod foreign_text;
mod formats;
mod generate_removes;
mod headers;
mod hostile;
mod hostile_paths;
mod hunt_in_time;
mod hunt_legality;
mod interactions;
mod invalid_inputs;
mod java;
mod keys_twice;
mod languages;
mod leaks;
mod links;
mod measurement;
mod output_validators;
mod packages;
mod packages_of_commands;
mod precompiled_headers;
mod programs_named;
mod publishing;
mod remembered;
mod remembered_safely;
mod remembered_talks;
mod report_schema;
mod reports;
mod reports_github;
mod reports_html;
mod reports_junit;
mod resource_exhaustion;
mod scoring;
mod stack;
mod started_oddly;
mod submissions_found;
mod talks;
mod threat_model;
mod unfit_files;
mod verify_detects;
mod verify_findings;
mod version;
mod viva;
mod waiting;
mod warm;
mod writes_over_nothing;
