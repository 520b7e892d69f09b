//! Chooses the language of a student's files if they are in several languages.

use super::main_file::{self, SourceText};
use referee_language::Language;

/// The language of a program whose files are in several languages.
#[derive(Debug)]
pub(crate) enum Choice<'a> {
    /// The program is in this language, and the other files do not belong to it.
    Language(&'a Language),
    /// The files of these indices are programs of their own, in different languages.
    Several(Vec<usize>),
    /// The files are in one language, or none of them can start a program.
    Undecided,
}

/// Chooses the language in which a file can start a program. If there are several such languages, the file called main
/// decides. `of_files` has the language of each source; `None` if it has none, such as a header.
pub(crate) fn choose<'a>(of_files: &[Option<&'a Language>], sources: &[SourceText]) -> Choice<'a> {
    let mut all = distinct(of_files);
    if all.len() < 2 {
        return Choice::Undecided;
    }
    // A script beside a program only compiles or starts it.
    all.retain(|language| language.id != SHELL);
    if let [only] = all[..] {
        return Choice::Language(only);
    }
    let mut starting: Vec<(&Language, Vec<usize>)> = Vec::new();
    for language in all {
        let indices: Vec<usize> =
            (0..sources.len()).filter(|&index| of_files[index].is_some_and(|own| own.id == language.id)).collect();
        let own: Vec<SourceText> = indices.iter().map(|&index| sources[index].clone()).collect();
        let starts: Vec<usize> = main_file::starts(language, &own).into_iter().map(|own| indices[own]).collect();
        if !starts.is_empty() {
            starting.push((language, starts));
        }
    }
    match starting.as_slice() {
        [] => Choice::Undecided,
        [(only, _)] => Choice::Language(only),
        several => {
            let has_main = |starts: &[usize]| starts.iter().any(|&index| sources[index].is_main());
            let mut mains = several.iter().filter(|(_, starts)| has_main(starts));
            match (mains.next(), mains.next()) {
                (Some((language, _)), None) => Choice::Language(language),
                _ => Choice::Several(several.iter().flat_map(|(_, starts)| starts).copied().collect()),
            }
        }
    }
}

/// The id of the language of shell scripts.
const SHELL: &str = "bash";

/// Returns the languages of the files, each once, in the order of the files.
fn distinct<'a>(of_files: &[Option<&'a Language>]) -> Vec<&'a Language> {
    let mut all: Vec<&Language> = Vec::new();
    for &language in of_files.iter().flatten() {
        if all.iter().all(|known| known.id != language.id) {
            all.push(language);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_language::Table;

    /// Returns the id of the chosen language, or the names of the files between which nothing decides.
    fn of(files: &[(&str, &str, &str)]) -> String {
        let table = Table::load(&[]).unwrap();
        let language = |id: &str| table.languages.iter().find(|language| language.id == id);
        let languages: Vec<_> = files.iter().map(|(_, id, _)| language(id)).collect();
        let source = |(name, _, text): &(&str, &str, &str)| SourceText {
            path: vec![(*name).to_owned()],
            text: text.as_bytes().to_vec(),
        };
        let sources: Vec<_> = files.iter().map(source).collect();
        match choose(&languages, &sources) {
            Choice::Language(language) => language.id.clone(),
            Choice::Several(all) => all.iter().map(|&index| sources[index].shown()).collect::<Vec<_>>().join(" "),
            Choice::Undecided => "undecided".to_owned(),
        }
    }

    const C_MAIN: &str = "int main(void) { return 0; }";
    const JAVA_MAIN: &str = "class Pairs { public static void main(String[] a) {} }";

    #[test]
    fn a_helper_without_a_main_function_does_not_decide() {
        assert_eq!(of(&[("main.py", "python3", "print(1)"), ("notes.c", "c", "int f(void);")]), "python3");
        assert_eq!(of(&[("a.c", "c", C_MAIN), ("B.java", "java", "class B {}"), ("u.h", "", "")]), "c");
    }

    #[test]
    fn of_two_programs_the_one_called_main_counts_and_otherwise_nothing_decides() {
        assert_eq!(of(&[("main.py", "python3", ""), ("b.c", "c", C_MAIN)]), "python3");
        assert_eq!(of(&[("a.py", "python3", ""), ("Main.java", "java", JAVA_MAIN)]), "java");
        assert_eq!(of(&[("a.py", "python3", ""), ("b.c", "c", C_MAIN)]), "a.py b.c");
        assert_eq!(of(&[("main.py", "python3", ""), ("main.c", "c", C_MAIN)]), "main.py main.c");
        assert_eq!(of(&[("a.py", "python3", ""), ("b.rs", "rust", "fn f() {}")]), "a.py b.rs");
    }

    #[test]
    fn a_shell_script_beside_a_program_is_none() {
        assert_eq!(of(&[("run.sh", "bash", "./a"), ("a.c", "c", C_MAIN)]), "c");
        // The compiler then tells the student that the main function is missing.
        assert_eq!(of(&[("run.sh", "bash", "./a"), ("a.c", "c", "int f;")]), "c");
        assert_eq!(of(&[("a.c", "c", "int f;"), ("b.java", "java", "class B {}")]), "undecided");
    }
}
