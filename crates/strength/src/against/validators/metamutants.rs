//! Builds metamutants of validators.

use std::path::Path;
use std::time::Duration;

use super::original::Original;
use crate::metamutant::Builder;
use referee_judge::{JudgeError, Metamutant, MetamutantBuild};

pub(super) struct ValidatorBuilder<'b, 'a> {
    pub(super) original: &'b Original<'a>,
    pub(super) folder: &'b Path,
}

impl Builder for ValidatorBuilder<'_, '_> {
    fn folder(&self) -> &Path {
        self.folder
    }

    fn build(&self, copies: usize) -> Result<MetamutantBuild, JudgeError> {
        self.original.build_metamutant(self.folder, copies)
    }

    /// The times of validators are not known.
    fn times_of_the_program(&self, metamutant: &Metamutant) -> Result<Option<Vec<Duration>>, JudgeError> {
        let copy = self.original.copy(metamutant, 0);
        for (test, truth) in self.original.tests.iter().zip(&self.original.truth) {
            if copy.run(&test.case, test.output().as_deref())?.verdict != *truth {
                return Ok(None);
            }
        }
        Ok(Some(Vec::new()))
    }
}
