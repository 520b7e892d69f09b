use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use tempfile::TempDir;

use super::*;

fn cache(folder: &TempDir) -> Cache {
    Cache::open(&folder.path().join("referee").join("builds")).unwrap()
}

fn key(letter: char) -> Key {
    Key::for_tests(&letter.to_string().repeat(64))
}

/// Makes a folder that contains a compiled program.
fn made(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("below")).unwrap();
    fs::write(folder.path().join("below/helper"), text).unwrap();
    fs::write(folder.path().join("program.out"), text).unwrap();
    fs::set_permissions(folder.path().join("program.out"), Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Makes a workspace, and a folder with sources in it. Returns the workspace and the path of the folder.
fn sources() -> (TempDir, PathBuf) {
    let workspace = tempfile::tempdir().unwrap();
    let folder = workspace.path().join("program");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("program.c"), "").unwrap();
    (workspace, folder)
}

fn age(cache: &Cache, key: &Key, seconds: u64) {
    let digest = File::options().append(true).open(cache.folder.join(key.name()).join("digest")).unwrap();
    digest.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

#[test]
fn what_is_kept_comes_back_with_modes_and_times_and_takes_the_place_of_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, made, (_workspace, to)) = (cache(&folder), made("made"), sources());
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    File::options().append(true).open(made.path().join("program.out")).unwrap().set_modified(time).unwrap();
    assert!(cache.restore(&key('a'), &to).is_none());
    cache.store_entry(&key('a'), made.path()).unwrap();
    assert!(cache.restore(&key('b'), &to).is_none());
    assert!(to.join("program.c").exists());
    cache.restore(&key('a'), &to).unwrap();
    assert!(!to.join("program.c").exists());
    assert_eq!(fs::read_to_string(to.join("below/helper")).unwrap(), "made");
    let program = to.join("program.out").metadata().unwrap();
    assert_eq!((program.permissions().mode() & 0o777, program.modified().unwrap()), (0o755, time));
}

#[test]
fn what_was_damaged_is_thrown_away() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 5] = [
        ("bytes", |entry| fs::write(entry.join("files/program.out"), "evil").unwrap()),
        ("a file more", |entry| fs::write(entry.join("files/more"), "").unwrap()),
        ("a file less", |entry| fs::remove_file(entry.join("files/below/helper")).unwrap()),
        ("a mode", |entry| {
            fs::set_permissions(entry.join("files/program.out"), Permissions::from_mode(0o644)).unwrap();
        }),
        ("the digest", |entry| fs::write(entry.join("digest"), "0 0\n").unwrap()),
    ];
    for (what, damage) in damages {
        let folder = tempfile::tempdir().unwrap();
        let (cache, made, (_workspace, to)) = (cache(&folder), made("made"), sources());
        cache.store_entry(&key('a'), made.path()).unwrap();
        let entry = cache.folder.join(key('a').name());
        damage(&entry);
        assert!(cache.restore(&key('a'), &to).is_none(), "{what}");
        assert!(to.join("program.c").exists() && !entry.exists(), "{what}");
        cache.store_entry(&key('a'), made.path()).unwrap();
        assert!(cache.restore(&key('a'), &to).is_some(), "{what}");
    }
}

#[test]
fn an_entry_that_another_user_could_have_written_is_thrown_away() {
    type Change = fn(&Path);
    let is_root = rustix::process::geteuid().is_root();
    let changes: [(&str, bool, Change); 4] = [
        ("a folder of another user", is_root, |entry| std::os::unix::fs::chown(entry, Some(47_110), None).unwrap()),
        ("a file of another user", is_root, |entry| {
            std::os::unix::fs::chown(entry.join("files/program.out"), Some(47_110), None).unwrap();
        }),
        ("a folder that others can write", true, |entry| {
            fs::set_permissions(entry.join("files/below"), Permissions::from_mode(0o777)).unwrap();
        }),
        ("a link", true, |entry| {
            fs::rename(entry.join("files"), entry.with_extension("moved")).unwrap();
            std::os::unix::fs::symlink(entry.with_extension("moved"), entry.join("files")).unwrap();
        }),
    ];
    for (what, _, change) in changes.iter().filter(|(_, can_be_made, _)| *can_be_made) {
        let folder = tempfile::tempdir().unwrap();
        let (cache, made, (_workspace, to)) = (cache(&folder), made("made"), sources());
        cache.store_entry(&key('a'), made.path()).unwrap();
        change(&cache.folder.join(key('a').name()));
        assert!(cache.restore(&key('a'), &to).is_none(), "{what}");
        assert!(to.join("program.c").exists(), "{what}");
        cache.store_entry(&key('a'), made.path()).expect(what);
        assert!(cache.restore(&key('a'), &to).is_some(), "a new entry replaces the damaged one: {what}");
    }
}

#[test]
fn what_was_used_longest_ago_goes_when_there_is_too_much() {
    let folder = tempfile::tempdir().unwrap();
    for (most_bytes, most_entries) in [(20, 100), (1 << 20, 2)] {
        let cache = Cache { most_bytes, most_entries, ..cache(&folder) };
        let (made, (_workspace, to)) = (made("made"), sources());
        cache.store_entry(&key('a'), made.path()).unwrap();
        cache.store_entry(&key('b'), made.path()).unwrap();
        age(&cache, &key('a'), 200);
        age(&cache, &key('b'), 100);
        // Entry `a` is the least recently used entry until the next line uses it. Then entry `b` is.
        cache.restore(&key('a'), &to).unwrap();
        cache.store_entry(&key('c'), made.path()).unwrap();
        let there = ['a', 'b', 'c'].map(|letter| cache.folder.join(key(letter).name()).exists());
        assert_eq!(there, [true, false, true], "{most_bytes} bytes, {most_entries} entries");
        fs::remove_dir_all(&cache.folder).unwrap();
    }
}

#[test]
fn a_judge_that_stores_much_keeps_the_limits_but_for_a_sixteenth() {
    let folder = tempfile::tempdir().unwrap();
    for (most_bytes, most_entries) in [(1 << 20, 32), (32 * 2 * "made".len() as u64, 100)] {
        let cache = Cache { most_bytes, most_entries, ..cache(&folder) };
        let made = made("made");
        let count = || fs::read_dir(&cache.folder).unwrap().count();
        let counts = ('A'..='z').map(|letter| {
            cache.store_entry(&key(letter), made.path()).unwrap();
            count()
        });
        let counts: Vec<_> = counts.skip(32).collect();
        assert_eq!((counts.iter().min(), counts.iter().max()), (Some(&32), Some(&34)), "{counts:?}");
        // Another judge enforces its own limits when it stores its first entry.
        let most_entries = 30;
        Cache { most_entries, ..Cache::open(&cache.folder).unwrap() }.store_entry(&key('0'), made.path()).unwrap();
        assert_eq!(count(), 30);
        fs::remove_dir_all(&cache.folder).unwrap();
    }
}

#[test]
fn what_a_killed_judge_has_left_goes_after_an_hour() {
    let folder = tempfile::tempdir().unwrap();
    let cache = cache(&folder);
    let (old, young) = (cache.folder.join(".new-old"), cache.folder.join(".new-young"));
    for (path, age) in [(&old, 4000), (&young, 3000)] {
        fs::create_dir(path).unwrap();
        let time = SystemTime::now() - Duration::from_secs(age);
        File::open(path).unwrap().set_modified(time).unwrap();
    }
    cache.store_entry(&key('a'), made("made").path()).unwrap();
    assert_eq!((old.exists(), young.exists()), (false, true));
}

#[test]
fn the_folder_is_its_owners_alone_and_one_that_others_may_write_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let builds = cache(&folder).folder;
    assert_eq!(builds.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    fs::set_permissions(&builds, Permissions::from_mode(0o777)).unwrap();
    assert!(Cache::open(&builds).unwrap_err().to_string().starts_with("other users can write to "));
    fs::remove_dir(&builds).unwrap();
    std::os::unix::fs::symlink(folder.path(), &builds).unwrap();
    assert!(Cache::open(&builds).is_err());
}

#[test]
fn the_cache_of_headers_stores_few_entries() {
    let folder = tempfile::tempdir().unwrap();
    let caches = folder.path().join("referee");
    let headers = Cache::of_headers(&caches).unwrap();
    assert_eq!(headers.folder, caches.join("headers").canonicalize().unwrap());
    assert!(headers.most_bytes < MOST_BYTES && !headers.skips_programs);
    let letters = ['0', '1', '2', '3', 'a', 'b', 'c', 'd', 'e', 'f'];
    for (index, letter) in letters.into_iter().enumerate() {
        headers.store(&key(letter), made("made").path());
        age(&headers, &key(letter), 100 - index as u64);
    }
    let there = letters.map(|letter| headers.folder.join(key(letter).name()).exists());
    assert_eq!(there, [[false; 2].as_slice(), &[true; 8]].concat()[..], "the least recently used headers are removed");
}
