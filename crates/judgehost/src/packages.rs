//! Keeps the problem packages of the last batches. Most batches in a row belong to few problems, and making a package
//! takes longer than a short test case.

use std::cell::RefCell;
use std::io;
use std::ops::Deref;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use referee_files::temporary;
use referee_package::Package;

use crate::problem::{self, Problem, Validation};

/// The number of packages that are kept.
const MOST_PACKAGES: usize = 16;

/// A package is made again after this time. Machines may remove temporary files that were not read for days.
const MAX_AGE: Duration = Duration::from_secs(3600);

/// The packages of the last batches, the latest one last.
#[derive(Default)]
pub(crate) struct Packages {
    kept: RefCell<Vec<Rc<KeptPackage>>>,
}

/// A problem package in a temporary folder, which is removed with this value.
pub(crate) struct KeptPackage {
    /// The content of its problem.yaml, and the folder of its output validator. That path changes with the hash that the
    /// server states for the script.
    key: (String, Option<PathBuf>),
    package: Package,
    made: Instant,
    _folder: tempfile::TempDir,
}

impl Deref for KeptPackage {
    type Target = Package;

    fn deref(&self) -> &Package {
        &self.package
    }
}

impl Packages {
    /// Returns a package for the problem. Makes it if none of the last ones fits. Fails if a file cannot be written or
    /// the package cannot be loaded.
    pub(crate) fn get(&self, problem: &Problem<'_>, validation: &Validation) -> io::Result<Rc<KeptPackage>> {
        let script = match validation {
            Validation::Default => None,
            Validation::Script(folder) => Some(folder.clone()),
        };
        let key = (problem.yaml(validation)?, script);
        let mut kept = self.kept.borrow_mut();
        kept.retain(|one| one.made.elapsed() < MAX_AGE);
        let found = kept.iter().position(|one| one.key == key).map(|index| kept.remove(index));
        let package = if let Some(package) = found {
            package
        } else {
            let folder = temporary::folder("judgehost")?;
            let package = problem::package(folder.path(), &key.0, validation)?;
            Rc::new(KeptPackage { key, package, made: Instant::now(), _folder: folder })
        };
        if kept.len() == MOST_PACKAGES {
            kept.remove(0);
        }
        kept.push(Rc::clone(&package));
        Ok(package)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::{CompareConfig, CompileConfig, RunConfig, ServerConfig};

    #[test]
    fn a_package_is_made_once_for_each_problem_and_the_oldest_is_dropped() {
        let packages = Packages::default();
        let (compile, run, server) = (CompileConfig::default(), RunConfig::default(), ServerConfig::default());
        let get = |arguments: &str| {
            let compare = CompareConfig { compare_args: Some(arguments.to_owned()), ..CompareConfig::default() };
            let problem = Problem { compile: &compile, run: &run, compare: &compare, server: &server };
            packages.get(&problem, &Validation::Default).unwrap()
        };
        let first = get("case_sensitive");
        assert!(Rc::ptr_eq(&first, &get("case_sensitive")));
        assert!(!Rc::ptr_eq(&first, &get("space_change_sensitive")));
        assert_eq!(first.cases[0].output_validator_arguments.of("default"), ["case_sensitive"]);
        let root = first.root.clone();
        drop(first);
        for digits in 1..MOST_PACKAGES {
            assert!(root.exists());
            get(&format!("float_tolerance 1e-{digits}"));
        }
        assert!(!root.exists(), "the oldest package and its folder are gone");
    }
}
