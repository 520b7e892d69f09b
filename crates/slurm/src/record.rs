//! What the waiting process writes down, so that a later process can continue the run (`--resume`).

use serde::{Deserialize, Serialize};

use crate::indices::Indices;
use crate::job::Job;

/// The version of the file. Files of another version are refused.
const VERSION: u32 = 1;

/// The maximum size of the file, in bytes.
pub(crate) const MOST_BYTES: u64 = 16 << 20;

/// The run whose parts are in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    version: u32,
    /// The number of parts.
    pub parts: usize,
    /// The command that judges a part, without the number of the part.
    pub command: String,
    /// A digest of the package, of the programs and of the version of this program. If it has changed, complete reports
    /// are no longer up to date.
    pub inputs: String,
    /// The submitted jobs, in their order, each with its tasks as [`Indices`].
    jobs: Vec<(Job, String)>,
}

impl Record {
    /// Returns the record of a run without jobs.
    pub fn new(parts: usize, command: String, inputs: String) -> Record {
        Record { version: VERSION, parts, command, inputs, jobs: Vec::new() }
    }

    /// Reads a record. Fails if it is damaged or of another version.
    pub(crate) fn parse(text: &[u8]) -> Result<Record, String> {
        let record: Record = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if record.version != VERSION {
            return Err(format!("it has version {}, expected {VERSION}", record.version));
        }
        let is_legal = |(_, tasks): &(Job, String)| Indices::parse(tasks, record.parts).is_some();
        match record.jobs.iter().find(|job| !is_legal(job)) {
            Some((job, _)) => Err(format!("the tasks of job {} are not parts of this run", job.id)),
            None => Ok(record),
        }
    }

    pub(crate) fn text(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    pub(crate) fn add(&mut self, job: Job, tasks: &Indices) {
        self.jobs.push((job, tasks.to_string()));
    }

    /// Returns the submitted jobs.
    pub fn jobs(&self) -> Vec<Job> {
        self.jobs.iter().map(|(job, _)| job.clone()).collect()
    }

    /// Returns the last job of each part; `None` for parts that were never submitted. The first item is about part 1.
    pub(crate) fn last_jobs(&self) -> Vec<Option<u32>> {
        let mut last = vec![None; self.parts];
        for (job, tasks) in &self.jobs {
            for task in Indices::parse(tasks, self.parts).unwrap_or_default().numbers() {
                last[task - 1] = Some(job.id);
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: u32) -> Job {
        Job { id, cluster: None }
    }

    #[test]
    fn a_record_is_read_back_with_the_last_job_of_each_part() {
        let mut record = Record::new(4, "referee grade p".to_owned(), "d".to_owned());
        record.add(job(7), &Indices::new(1..=3));
        record.add(job(9), &Indices::new([2]));
        let read = Record::parse(&record.text()).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.last_jobs(), [Some(7), Some(9), Some(7), None]);
        assert_eq!(read.jobs(), [job(7), job(9)]);
    }

    #[test]
    fn a_damaged_record_is_refused() {
        let good = String::from_utf8(Record::new(2, String::new(), String::new()).text()).unwrap();
        for bad in [
            String::new(),
            good[..20].to_owned(),
            good.replace("\"version\": 1", "\"version\": 2"),
            good.replace("\"jobs\": []", "\"jobs\": [[{\"id\":1,\"cluster\":null},\"1-3\"]]"),
            good.replace("\"jobs\": []", "\"jobs\": [[{\"id\":-1,\"cluster\":null},\"1\"]]"),
        ] {
            assert!(Record::parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
