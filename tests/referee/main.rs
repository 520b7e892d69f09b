//! The integration tests: the data of cases/ is proved by the reference solvers, and the command is run as users do.

mod support;
