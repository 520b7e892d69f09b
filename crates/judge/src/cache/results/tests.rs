use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::record_file::RecordFile;
use super::store::Store;

fn store(folder: &TempDir) -> Store {
    Store::open(&folder.path().join("referee").join("results")).unwrap()
}

fn key(number: u32) -> blake3::Hash {
    blake3::hash(&number.to_le_bytes())
}

fn kept(number: u32) -> Vec<u8> {
    format!("result {number}").repeat(3).into_bytes()
}

fn path(folder: &TempDir, file: u32) -> PathBuf {
    folder.path().join("referee/results").join(key(file).to_hex().as_str())
}

/// Counts the stored results among the first `results`. Fails if one of them is wrong.
fn known(store: &Store, file: u32, results: u32) -> usize {
    let file = store.file(&key(file));
    let read = (0..results).filter_map(|number| Some((number, file.read(&key(number))?)));
    read.inspect(|(number, found)| assert_eq!(*found, kept(*number))).count()
}

fn fill(store: &Store, file: u32, results: u32) {
    let file = store.file(&key(file));
    (0..results).for_each(|number| store.add(&file, &key(number), &kept(number)));
}

#[test]
fn what_is_kept_comes_back_and_only_from_its_own_page() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    assert_eq!(known(&store, 1, 10), 0);
    fill(&store, 1, 10);
    assert_eq!((known(&store, 1, 20), store.first_error()), (10, None));
    fs::copy(path(&folder, 1), path(&folder, 2)).unwrap();
    assert_eq!(known(&store, 2, 20), 0, "a copy under another name is not accepted");
}

#[test]
fn whatever_is_cut_off_a_page_the_rest_is_read_and_can_be_added_to() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    fill(&store, 1, 3);
    let whole = fs::read(path(&folder, 1)).unwrap();
    for length in 0..whole.len() {
        fs::write(path(&folder, 1), &whole[..length]).unwrap();
        let before = known(&store, 1, 3);
        assert!(before < 3, "{length}");
        let file = store.file(&key(1));
        store.add(&file, &key(7), &kept(7));
        assert_eq!(known(&store, 1, 8), before + 1, "{length}");
    }
    assert_eq!(store.first_error(), None);
}

#[test]
fn whatever_byte_of_a_page_is_changed_no_result_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    fill(&store, 1, 3);
    let whole = fs::read(path(&folder, 1)).unwrap();
    for place in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x41;
        fs::write(path(&folder, 1), &damaged).unwrap();
        assert!(known(&store, 1, 3) < 3, "{place}");
        fill(&store, 1, 3);
        assert_eq!(known(&store, 1, 3), 3, "the damage at {place} is repaired");
    }
}

/// Returns the file of results with the key 1.
fn first_file(store: &Store) -> RecordFile {
    store.local_file(&key(1))
}

/// Returns a key that begins like `key(1)`.
fn similar(last: u8) -> blake3::Hash {
    let mut bytes = *key(1).as_bytes();
    bytes[31] ^= last;
    bytes.into()
}

#[test]
fn keys_with_an_equal_beginning_lead_to_their_own_results() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    for last in 1..=3 {
        store.add(&first_file(&store), &similar(last), &kept(u32::from(last)));
    }
    let file = first_file(&store);
    let found: Vec<_> = (0..=4).map(|last| file.read(&similar(last))).collect();
    assert_eq!(found, [None, Some(kept(1)), Some(kept(2)), Some(kept(3)), None]);
}

#[test]
fn the_last_undamaged_result_under_a_key_counts() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    for number in 1..=2 {
        store.add(&first_file(&store), &key(5), &kept(number));
    }
    assert_eq!(first_file(&store).read(&key(5)), Some(kept(2)));
    let mut damaged = fs::read(path(&folder, 1)).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(path(&folder, 1), damaged).unwrap();
    assert_eq!(first_file(&store).read(&key(5)), Some(kept(1)));
}

#[test]
fn other_machines_get_each_result_once_and_repair_damaged_ones_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = store(&folder);
    for number in [3, 4, 5] {
        here.add(&first_file(&here), &key(5), &kept(number));
    }
    here.add(&first_file(&here), &key(6), &kept(6));
    let records = first_file(&here).export();
    assert_eq!(records.len(), 2 * (32 + 4 + kept(5).len()), "two results");
    let other_folder = tempfile::tempdir().unwrap();
    let there = store(&other_folder);
    there.add(&first_file(&there), &key(5), &kept(9));
    let mut damaged = fs::read(path(&other_folder, 1)).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(path(&other_folder, 1), damaged).unwrap();
    let file = first_file(&there).import(&records);
    assert_eq!([file.read(&key(5)), file.read(&key(6))], [Some(kept(5)), Some(kept(6))]);
    let size = fs::metadata(path(&other_folder, 1)).unwrap().len();
    let again = file.import(&records);
    assert_eq!(again.read(&key(5)), Some(kept(5)));
    assert_eq!(fs::metadata(path(&other_folder, 1)).unwrap().len(), size, "known results are not added again");
}

#[test]
fn judges_add_to_the_same_page_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        for judge in 0..8 {
            let store = store(&folder);
            scope.spawn(move || {
                let file = store.file(&key(1));
                (0..50).for_each(|step| store.add(&file, &key(judge * 50 + step), &kept(judge * 50 + step)));
                assert_eq!(store.first_error(), None);
            });
        }
    });
    assert_eq!(known(&store(&folder), 1, 400), 400);
}

#[test]
fn a_judge_waits_while_another_one_writes_and_then_gives_up() {
    let folder = tempfile::tempdir().unwrap();
    fill(&store(&folder), 1, 2);
    let other = fs::File::options().append(true).open(path(&folder, 1)).unwrap();
    rustix::fs::flock(&other, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let store = store(&folder);
    fill(&store, 1, 3);
    assert!(store.first_error().is_some());
    assert_eq!(known(&store, 1, 3), 2, "no result was added while the other judge held the lock");
    drop(other);
    fill(&store, 1, 3);
    assert_eq!(known(&store, 1, 3), 3);
}

#[test]
fn what_is_no_page_is_left_as_it_is_and_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    let foreign = folder.path().join("somebody's");
    fs::write(&foreign, "mine\n").unwrap();
    std::os::unix::fs::symlink(&foreign, path(&folder, 1)).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, path(&folder, 2), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    fs::File::create(path(&folder, 3)).unwrap().set_len(1 << 40).unwrap();
    for file in 1..=3 {
        assert_eq!(known(&store, file, 2), 0, "{file}");
        fill(&store, file, 2);
    }
    assert_eq!(fs::read_to_string(&foreign).unwrap(), "mine\n");
    assert_eq!((known(&store, 1, 2), known(&store, 2, 2), known(&store, 3, 2)), (0, 0, 2));
}

fn age(path: &Path, seconds: u64) {
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

#[test]
fn what_was_used_longest_ago_goes_when_there_is_too_much() {
    for (most_bytes, most_files) in [(2500, 100), (1 << 20, 2)] {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("referee/results");
        let store = Store::with_bounds(&results, most_bytes, most_files);
        (1..=3).for_each(|file| fill(&store, file, 10));
        for (file, seconds) in [(1, 300), (2, 200), (3, 100)] {
            age(&path(&folder, file), seconds);
        }
        // File 1 is the least recently used file until the next line uses it. Then file 2 is.
        store.file(&key(1)).touch();
        store.enforce_limits_if_grown();
        let there = [1, 2, 3].map(|file| known(&store, file, 10));
        assert_eq!(there, [10, 0, 10], "{most_bytes} bytes, {most_files} files");
        store.enforce_limits_if_grown();
        assert_eq!(known(&store, 1, 10), 10);
    }
}

#[test]
fn a_page_that_is_thrown_away_is_of_use_to_whoever_has_it_open() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    fill(&store, 1, 3);
    let file = store.file(&key(1));
    fs::remove_file(path(&folder, 1)).unwrap();
    assert_eq!(file.read(&key(2)), Some(kept(2)));
    store.add(&file, &key(5), &kept(5));
    assert_eq!((known(&store, 1, 10), store.first_error()), (1, None));
}

#[test]
fn what_cannot_be_written_is_told_once_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder);
    fs::create_dir(path(&folder, 1)).unwrap();
    fill(&store, 1, 3);
    assert_eq!(known(&store, 1, 3), 0);
    assert!(store.first_error().unwrap().contains("results: "));
}
