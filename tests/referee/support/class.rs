//! A class whose programs have every fault, as the platforms hand it out.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A student, and what must become of the work.
pub(crate) struct Handed {
    pub(crate) name: String,
    /// The verdict, or `-` if the work cannot be judged.
    pub(crate) expected: &'static str,
    pub(crate) files: Vec<(&'static str, &'static [u8])>,
}

const RIGHT: &[u8] = b"print(sum(map(int, input().split())))\n";
const RIGHT_C: &[u8] =
    b"#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }\n";
const RIGHT_CPP: &[u8] =
    b"#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";
const RIGHT_JAVA: &[u8] =
    b"package x;\nimport java.util.*;\npublic class Solver {\n  public static void main(String[] a) {\n    \
    Scanner s = new Scanner(System.in); System.out.println(s.nextInt() + s.nextInt());\n  }\n}\n";

/// The name and the content of a file.
type HandedFile = (&'static str, &'static [u8]);

/// Returns the students of the class. The package is tests/packages/judged/sum.
pub(crate) fn every_fault() -> Vec<Handed> {
    let long: &'static str = Box::leak("n".repeat(196).into_boxed_str());
    let works: Vec<(&str, &'static str, Vec<HandedFile>)> = vec![
        ("Ann Adams", "AC", vec![("main.py", RIGHT)]),
        ("Bob Baker", "WA", vec![("sum.py", b"print(5)\n")]),
        ("Cleo Clark", "TLE", vec![("loop.py", b"while True: pass\n")]),
        ("Dan Dole", "RTE", vec![("main.py", b"print(1 // 0)\n")]),
        ("Eve Eames", "CE", vec![("main.py", b"print((\n")]),
        ("Fay Ford", "CE", vec![("main.c", b"int main( {\n")]),
        ("Gus Gray", "AC", vec![("sum.c", RIGHT_C)]),
        ("Hal Hill", "AC", vec![("SUM.CPP", RIGHT_CPP)]),
        ("Ida Imhof", "AC", vec![("Loesung.java", RIGHT_JAVA)]),
        ("Jan Jung", "AC", vec![("MAIN.PY", RIGHT)]),
        ("Kim Kern", "-", vec![("essay.pdf", b"%PDF-1.7\n")]),
        ("Lea Lang", "-", vec![("main.docx", b"PK\x03\x04")]),
        ("Max Moll", "-", vec![("screen.png", b"\x89PNG\r\n")]),
        ("Nia Noll", "-", vec![("main.txt", RIGHT)]),
        ("Ole Orth", "-", vec![("main", RIGHT)]),
        ("Pia Pohl", "-", vec![("homework.zip", b"PK\x05\x06")]),
        ("Quin Quast", "AC", vec![("main.py", RIGHT), ("README.md", b"hello\n"), ("data.csv", b"1,2\n")]),
        (
            "Ron Roth",
            "AC",
            vec![
                ("helper.py", b"def add(a, b):\n    return a + b\n"),
                ("solve.py", b"from helper import add\nprint(add(*map(int, input().split())))\n"),
            ],
        ),
        ("Sue Seitz", "-", vec![("a.py", RIGHT), ("b.py", b"print(5)\n")]),
        ("Tim Thoma", "AC", vec![("main.c", RIGHT_C), ("old.c", b"int main(void) { return 1; }\n")]),
        ("Jörg Übel", "AC", vec![("main.py", RIGHT)]),
        ("山田 太郎", "AC", vec![("main.py", RIGHT)]),
        ("Zoë 🎓", "AC", vec![("main.py", RIGHT)]),
        ("\u{202e}lanoitceridib", "AC", vec![("main.py", RIGHT)]),
        (long, "AC", vec![("main.py", RIGHT)]),
        ("=cmd()", "AC", vec![("main.py", RIGHT)]),
        ("<script>alert(1)<script>", "AC", vec![("main.py", RIGHT)]),
        ("Same Name", "AC", vec![("main.py", RIGHT)]),
        ("Same Name", "WA", vec![("main.py", b"print(6)\n")]),
        ("Uwe Uhl", "-", vec![("main.py", b"%PDF-1.4 not Python\n")]),
        ("Vic Vogt", "WA", vec![("main.py", b"")]),
        ("Wim Wolf", "WA", vec![("größe 1.py", b"print(7)\n")]),
        ("Xia Xu", "AC", vec![("Main.java", RIGHT_JAVA), ("Solver.class", b"\xca\xfe\xba\xbe")]),
        ("Yan Yos", "RTE", vec![("main.c", b"#include <stdlib.h>\nint main(void) { abort(); }\n")]),
    ];
    let handed = |(name, expected, files): (&str, _, _)| Handed { name: name.to_owned(), expected, files };
    works.into_iter().map(handed).collect()
}

/// The participant's number in Moodle of the student with this index.
pub(crate) fn moodle_id(index: usize) -> String {
    (41_000 + index).to_string()
}

/// The user's number in Canvas of the student with this index.
pub(crate) fn canvas_id(index: usize) -> String {
    (52_000 + index).to_string()
}

/// Returns the files of Moodle's download, which has no entries for folders.
pub(crate) fn of_moodle(class: &[Handed]) -> Vec<(String, Vec<u8>)> {
    files(class, |index, student, file| format!("{}_{}_assignsubmission_file_/{file}", student.name, moodle_id(index)))
}

/// Returns the files of Canvas' download. Canvas writes names in lower case, and leaves out what is no letter or digit.
pub(crate) fn of_canvas(class: &[Handed]) -> Vec<(String, Vec<u8>)> {
    let mut number = 70_000;
    files(class, |index, student, file| {
        number += 1;
        let letters = student.name.to_lowercase().replace(|letter: char| !letter.is_alphanumeric(), "");
        let late = if index % 10 == 3 { "_LATE" } else { "" };
        format!("{letters}{late}_{}_{number}_{file}", canvas_id(index))
    })
}

/// Returns the files in one folder for each student. The names of folders are unique.
pub(crate) fn of_folders(class: &[Handed]) -> Vec<(String, Vec<u8>)> {
    files(class, |index, _, file| format!("{}/{file}", folder_name(class, index)))
}

/// Returns the folder of the student with this index in [`of_folders`].
pub(crate) fn folder_name(class: &[Handed], index: usize) -> String {
    let name = &class[index].name;
    let is_taken = class[..index].iter().any(|other| other.name == *name);
    if is_taken { format!("{name} {index}") } else { name.clone() }
}

fn files(class: &[Handed], mut path: impl FnMut(usize, &Handed, &str) -> String) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for (index, student) in class.iter().enumerate() {
        all.extend(student.files.iter().map(|(file, bytes)| (path(index, student, file), bytes.to_vec())));
    }
    all
}

/// Returns the worksheet that a teacher exports from Moodle, with `grade` of each student. It has one student more, who
/// handed in nothing.
pub(crate) fn worksheet_of_moodle(class: &[Handed], grade: impl Fn(&Handed) -> &'static str) -> String {
    let row = |(index, student): (usize, &Handed)| {
        format!("Participant {},\"{}\",Submitted,{},10.00,Yes\r\n", moodle_id(index), student.name, grade(student))
    };
    let rows: String = class.iter().enumerate().map(row).collect();
    format!(
        "\u{feff}Identifier,\"Full name\",Status,Grade,\"Maximum Grade\",\"Grade can be changed\"\r\n\
         {rows}Participant 49999,\"Abe Absent\",\"No submission\",,10.00,Yes\r\n"
    )
}

/// Returns the gradebook that a teacher exports from Canvas, with `grade` of each student, like
/// [`worksheet_of_moodle`].
pub(crate) fn gradebook_of_canvas(class: &[Handed], grade: impl Fn(&Handed) -> &'static str) -> String {
    let row = |(index, student): (usize, &Handed)| {
        format!("\"{}\",{},login{index},A,{},\r\n", student.name, canvas_id(index), grade(student))
    };
    let rows: String = class.iter().enumerate().map(row).collect();
    format!(
        "Student,ID,SIS Login ID,Section,Sum (70),Current Score\r\n    Points Possible,,,,10.00,(read only)\r\n\
         {rows}\"Absent, Abe\",59999,absent,A,,\r\n"
    )
}

/// Writes the files into an archive.
pub(crate) fn archive(path: &Path, files: &[(String, Vec<u8>)]) -> PathBuf {
    let mut zip = ZipWriter::new(File::create(path).expect("a file can be made"));
    for (name, bytes) in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).expect("an entry can be begun");
        zip.write_all(bytes).expect("an entry can be written");
    }
    zip.finish().expect("an archive can be finished");
    path.to_path_buf()
}

/// Writes the files into a folder.
pub(crate) fn unpacked(folder: &Path, files: &[(String, Vec<u8>)]) -> PathBuf {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
        fs::write(path, bytes).expect("a file can be written");
    }
    folder.to_path_buf()
}
