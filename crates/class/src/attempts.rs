//! Divides the files of one student into attempts.

use std::collections::HashMap;

use super::students::FoundFile;

/// Returns the files of each attempt, the earliest first. There is at least one attempt, which may have no files.
pub(crate) fn of(files: Vec<FoundFile>) -> Vec<Vec<FoundFile>> {
    let (late, on_time): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.is_late == Some(true));
    let mut all: Vec<_> = [on_time, late].into_iter().flat_map(by_folder).flat_map(by_version).collect();
    if all.is_empty() {
        all.push(Vec::new());
    }
    all
}

/// Divides files that are all in folders called `attempt 1`, `attempt 2` and so on.
fn by_folder(files: Vec<FoundFile>) -> Vec<Vec<FoundFile>> {
    let numbers: Option<Vec<u32>> = files.iter().map(|file| number_of_attempt(&file.inner)).collect();
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else {
        return if files.is_empty() { Vec::new() } else { vec![files] };
    };
    let mut attempts = std::collections::BTreeMap::<u32, Vec<FoundFile>>::new();
    for (number, mut file) in numbers.into_iter().zip(files) {
        file.inner.remove(0);
        attempts.entry(number).or_default().push(file);
    }
    attempts.into_values().collect()
}

fn number_of_attempt(path: &[String]) -> Option<u32> {
    let folder = path.first().filter(|_| path.len() > 1)?.to_lowercase();
    let number = ["attempt", "submission"].iter().find_map(|word| folder.strip_prefix(word))?;
    number.trim_start_matches([' ', '_', '-']).parse().ok()
}

/// Divides files of which some have later versions. An attempt has the latest version of each file up to then.
fn by_version(files: Vec<FoundFile>) -> Vec<Vec<FoundFile>> {
    let files = with_own_numbers(files);
    let mut versions: Vec<Vec<FoundFile>> = Vec::new();
    let mut with_versions = HashMap::new();
    for file in files {
        let at = match file.version {
            Some(_) => *with_versions.entry(file.inner.clone()).or_insert(versions.len()),
            None => versions.len(),
        };
        match versions.get_mut(at) {
            Some(group) => group.push(file),
            None => versions.push(vec![file]),
        }
    }
    for group in &mut versions {
        group.sort_by_key(|file| file.version);
    }
    let attempts = versions.iter().map(Vec::len).max().unwrap_or(0);
    let at = |attempt: usize| {
        versions.iter().map(move |group| group[attempt.min(group.len() - 1)].clone()).collect::<Vec<_>>()
    };
    (0..attempts).map(at).collect()
}

/// Returns the files, without versions of a file that was never handed in under its plain name: `a-1.h` and `a-2.h`
/// without `a.h` are two files, and the student chose the numbers.
fn with_own_numbers(mut files: Vec<FoundFile>) -> Vec<FoundFile> {
    let mut versions: HashMap<&[String], (usize, bool)> = HashMap::new();
    for file in &files {
        let (count, has_plain) = versions.entry(&file.inner).or_default();
        *count += 1;
        *has_plain |= file.numbered_name.is_none();
    }
    let is_own =
        |file: &FoundFile| versions.get(file.inner.as_slice()).is_some_and(|&(count, plain)| count > 1 && !plain);
    let own: Vec<bool> = files.iter().map(is_own).collect();
    for (file, _) in files.iter_mut().zip(own).filter(|(_, is_own)| *is_own) {
        if let (Some(name), Some(numbered)) = (file.inner.last_mut(), file.numbered_name.take()) {
            *name = numbered;
            file.version = file.version.map(|(_, number)| (0, number));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(entry: usize, inner: &str, version: Option<(u32, u64)>, is_late: Option<bool>) -> FoundFile {
        let inner: Vec<String> = inner.split('/').map(str::to_owned).collect();
        let number = version.map(|(number, _)| number).filter(|&number| number > 0);
        let numbered_name = number.map(|number| inner.last().unwrap().replace('.', &format!("-{number}.")));
        FoundFile { entry, inner, version, numbered_name, is_late, canvas_file: None, is_online_text: false }
    }

    fn entries(files: Vec<FoundFile>) -> Vec<Vec<usize>> {
        of(files).iter().map(|attempt| attempt.iter().map(|file| file.entry).collect()).collect()
    }

    #[test]
    fn the_latest_version_of_each_file_comes_last() {
        let files = vec![
            file(0, "main.py", Some((1, 8)), Some(false)),
            file(1, "main.py", Some((0, 5)), Some(false)),
            file(2, "util.py", Some((0, 6)), Some(false)),
        ];
        assert_eq!(entries(files), [[1, 2], [0, 2]]);
    }

    #[test]
    fn numbers_without_a_file_without_a_number_are_the_students_own() {
        let files = vec![file(0, "a.h", Some((1, 8)), None), file(1, "a.h", Some((2, 5)), None)];
        let found = of(files);
        assert_eq!(found.len(), 1);
        let names: Vec<_> = found[0].iter().map(|file| file.inner.join("/")).collect();
        assert_eq!(names, ["a-1.h", "a-2.h"]);
        assert_eq!(entries(vec![file(0, "a.py", Some((2, 8)), None)]), [[0]], "the only version is the latest");
    }

    #[test]
    fn what_is_late_is_a_later_attempt() {
        let files = vec![file(0, "b.py", Some((0, 9)), Some(true)), file(1, "a.py", Some((0, 3)), Some(false))];
        assert_eq!(entries(files), [[1], [0]]);
    }

    #[test]
    fn folders_of_attempts_are_attempts_and_other_folders_are_not() {
        let files = vec![
            file(0, "attempt 10/a.py", None, None),
            file(1, "Attempt_2/a.py", None, None),
            file(2, "attempt 10/b.py", None, None),
        ];
        assert_eq!(entries(files), [vec![1], vec![0, 2]]);
        let files = vec![file(0, "attempt 1/a.py", None, None), file(1, "b.py", None, None)];
        assert_eq!(entries(files), [[0, 1]]);
        assert_eq!(entries(Vec::new()), [[0; 0]]);
        assert_eq!(entries(vec![file(0, "a.py", None, None), file(1, "a.py", None, None)]), [[0, 1]]);
    }
}
