//! Small helpers: compile a C++ program, run a program under a limit, walk the packages.
