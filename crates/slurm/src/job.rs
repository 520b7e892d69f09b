//! A submitted job, as `sbatch --parsable` prints it.

use serde::{Deserialize, Serialize};

/// A job in Slurm's queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The number of the job.
    pub id: u32,
    /// The cluster of the job; `None` if it is the one that Slurm's commands use by default.
    pub cluster: Option<String>,
}

/// The largest length of a cluster's name, in bytes.
const LONGEST_NAME: usize = 64;

impl Job {
    /// Parses the output of `sbatch --parsable`: `ID` or `ID;CLUSTER`. Returns `None` if it is anything else. Lines
    /// before the last one may come from plugins of the cluster.
    pub(crate) fn parse(output: &str) -> Option<Job> {
        let line = output.trim_end().lines().last()?.trim();
        let (id, cluster) = line.split_once(';').map_or((line, None), |(id, cluster)| (id, Some(cluster)));
        // `parse` accepts a plus sign.
        let id = id.parse().ok().filter(|found| *found > 0 && id.bytes().all(|byte| byte.is_ascii_digit()))?;
        if cluster.is_some_and(|name| !is_name(name)) {
            return None;
        }
        Some(Job { id, cluster: cluster.map(str::to_owned) })
    }
}

/// Returns whether the text can be the name of a cluster. It becomes a part of an option, so it must not begin with a
/// hyphen or name several clusters.
pub(crate) fn is_name(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    !text.is_empty() && text.len() <= LONGEST_NAME && !text.starts_with(['-', '.']) && text.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_a_number_and_perhaps_a_cluster() {
        assert_eq!(Job::parse("123\n"), Some(Job { id: 123, cluster: None }));
        assert_eq!(Job::parse("7;east-1\n"), Some(Job { id: 7, cluster: Some("east-1".to_owned()) }));
        assert_eq!(Job::parse("You use account x.\n42\n"), Some(Job { id: 42, cluster: None }));
    }

    #[test]
    fn everything_else_is_no_job() {
        for text in [
            "",
            "\n",
            "Submitted batch job 12",
            "0",
            "-1",
            "+1",
            "1 2",
            "1;",
            "1;-x",
            "1;a,b",
            "1;a b",
            "4294967296",
            "1.5",
            "12_3",
            "１",
        ] {
            assert_eq!(Job::parse(text), None, "{text:?}");
        }
        assert_eq!(Job::parse(&format!("1;{}", "x".repeat(65))), None);
    }
}
