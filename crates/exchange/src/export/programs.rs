//! Exports validators, included files, statements and attachments.

use std::path::Path;

use super::{Export, Judge};
use crate::wrapper::{self, WrappedProgram};
use referee_judge as judge;
use referee_package::PackageProgram;

impl Export<'_> {
    pub(super) fn programs(&mut self) {
        let package = self.package;
        if package.output_validators.len() > 1 && self.to == Judge::Domjudge {
            self.refuse("output_validators/: DOMjudge allows only one output validator for a problem");
        }
        for program in &package.output_validators {
            let to = self.program(program, "output_validators");
            self.refuse_subfolders(&to);
            self.wrap(program);
        }
        if !self.verbatim && !package.output_validators.is_empty() {
            self.notes.lose(
                "the working directory of output validators: in format 2025-09 it holds the submission's files; the \
                 legacy format does not define it, so output validators cannot read the submission's source",
            );
        }
        self.input_validators();
        self.answer_validators();
        self.includes();
        let graders = package.root.join("graders");
        match &package.grader {
            Some(grader) if !grader.headers.is_empty() => drop(self.program(grader, "graders")),
            _ if graders.is_dir() && (self.verbatim || package.tree.needs_grader()) => self.copy(&graders, "graders"),
            _ => {}
        }
        let attachments = package.root.join("attachments");
        if attachments.is_dir() {
            self.copy(&attachments, "attachments");
        }
    }

    /// Copies a program into the folder `kind` and returns its new path. A single-file program with headers beside it
    /// becomes a folder, because Kattis compiles a single file without its neighbours.
    fn program(&mut self, program: &PackageProgram, kind: &str) -> String {
        let name = if program.path.is_dir() { program.name.clone() } else { file_name(&program.path) };
        if program.headers.is_empty() {
            let to = format!("{kind}/{name}");
            self.copy(&program.path, &to);
            return to;
        }
        let to = format!("{kind}/{}", program.name);
        for file in program.headers.iter().chain([&program.path]) {
            self.copy(file, &format!("{to}/{}", file_name(file)));
        }
        self.notes.remark(format!("{kind}/{name} and the headers beside it become the folder {to}/ in the archive"));
        to
    }

    /// For DOMjudge, refuses a validator with subfolders, because DOMjudge puts all files of a validator into one
    /// folder.
    fn refuse_subfolders(&mut self, folder: &str) {
        let files = self.files.at(folder);
        let is_below = |file: &&String| file[folder.len()..].trim_start_matches('/').contains('/');
        if let Some(file) = files.iter().find(is_below).filter(|_| self.to == Judge::Domjudge) {
            self.refuse(format!(
                "{file}: DOMjudge puts all files of an output validator into one folder, without subfolders"
            ));
        }
    }

    /// Copies the input validators. For DOMjudge, which treats all files in the folder as one program, copies only the
    /// first validator that is not a grammar.
    fn input_validators(&mut self) {
        let all = &self.package.input_validators;
        let is_grammar = |program: &&PackageProgram| {
            program.path.extension().is_some_and(|ending| ending == "ctd" || ending == "viva")
        };
        let chosen: Vec<_> = match self.to {
            Judge::Kattis => all.iter().collect(),
            Judge::Domjudge => all.iter().filter(|program| !is_grammar(program)).take(1).collect(),
        };
        for program in all.iter().filter(|program| !chosen.contains(program)) {
            self.notes.lose(format!(
                "the input validator {}: DOMjudge imports only one input validator, which cannot be a grammar (.ctd or \
                 .viva)",
                program.name
            ));
        }
        for program in chosen {
            self.program(program, "input_validators");
        }
    }

    /// Copies answer validators. No format version defines them, but BAPCtools reads them in packages of all versions.
    /// Kattis ignores unknown folders. DOMjudge discards files that it does not read, so in an export for DOMjudge,
    /// answer validators are left out and reported as lost.
    fn answer_validators(&mut self) {
        let folder = self.package.root.join("answer_validators");
        if !folder.is_dir() {
            return;
        }
        if self.to == Judge::Domjudge {
            self.notes.lose("answer_validators/: DOMjudge does not support answer validators");
            return;
        }
        self.copy(&folder, "answer_validators");
        self.notes.remark("answer_validators/ is included for BAPCtools and referee; Kattis ignores this folder");
    }

    fn includes(&mut self) {
        for (language, folder) in &self.package.includes {
            if self.to == Judge::Domjudge {
                self.refuse(format!("include/{language}/: DOMjudge puts no files beside submissions"));
            } else if language == "default" {
                self.refuse(
                    "include/default/: the legacy format has no include folder for all languages; use \
                     include/LANGUAGE/",
                );
            } else {
                self.copy(folder, &format!("include/{language}"));
            }
        }
    }

    /// Adds scripts to a checker or interactor that uses testlib. Other judges need them: the scripts convert testlib's
    /// protocol to the protocol of the package format. `referee` supports testlib's protocol directly.
    fn wrap(&mut self, program: &PackageProgram) {
        let name = &program.name;
        let header = match judge::testlib_checker(program, self.package, self.testlib) {
            Ok(None) => return,
            Err(reason) => return self.refuse(format!("the output validator {name}: {reason}")),
            Ok(Some(header)) => header,
        };
        let files = if program.path.is_dir() {
            self.below(&program.path)
        } else {
            program.headers.iter().chain([&program.path]).map(|path| (file_name(path), path.clone())).collect()
        };
        let is_source = |name: &str| name.rsplit_once('.').is_some_and(|(_, ending)| wrapper::is_cpp(ending));
        let sources: Vec<_> = files.iter().map(|(name, _)| name).filter(|name| is_source(name)).collect();
        let (executable, kind, run) = if self.package.kind.interactive {
            ("interactor", "an interactor", wrapper::run_interactor(false))
        } else {
            ("checker", "a checker", wrapper::run_checker())
        };
        let build = match sources.as_slice() {
            [source] => wrapper::build(&[WrappedProgram { source, kind: "", executable }]),
            _ => None,
        };
        let Some(build) = build else {
            return self.refuse(format!(
                "the output validator {name} is {kind} that uses testlib; its source must be a single C++ file"
            ));
        };
        let folder = format!("output_validators/{name}");
        // A single-file program becomes a folder, so the copy of the single file is removed.
        self.files.remove(&format!("output_validators/{}", file_name(&program.path)));
        for (below, path) in &files {
            self.copy(path, &format!("{folder}/{below}"));
        }
        if let Some(header) = header {
            self.files.copy(format!("{folder}/testlib.h"), &header);
        }
        self.files.script(format!("{folder}/build"), build);
        self.files.script(format!("{folder}/run"), run);
        self.notes.remark(format!(
            "the output validator {name} is {kind} that uses testlib; scripts in the archive adapt its arguments and \
             exit codes to the package format"
        ));
    }

    pub(super) fn statements(&mut self) {
        let root = &self.package.root;
        let folder = ["statement", "problem_statement"].iter().map(|name| root.join(name)).find(|path| path.is_dir());
        let files = folder.as_deref().map(|folder| self.below(folder)).unwrap_or_default();
        let mut pdfs: Vec<(String, std::path::PathBuf)> = Vec::new();
        for (below, path) in files {
            self.copy(&path, &format!("problem_statement/{below}"));
            let ending = below.rsplit_once('.').map_or("", |(_, ending)| ending);
            if below.starts_with("problem.") && ending == "pdf" {
                pdfs.push((below.clone(), path.clone()));
            }
            if ending == "md" {
                self.notes.lose(format!(
                    "problem_statement/{below} is copied, but the legacy format has no statements in Markdown, so \
                     Kattis and DOMjudge ignore this file"
                ));
            }
        }
        let own = ["pdf", "html", "txt"].map(|ending| format!("problem.{ending}"));
        let at_the_top: Vec<_> = own.iter().filter(|name| root.join(name).is_file()).collect();
        for name in &at_the_top {
            self.copy_unchanged(&root.join(name), name);
        }
        if self.to != Judge::Domjudge || !at_the_top.is_empty() {
            return;
        }
        let english = pdfs.iter().find(|(name, _)| name == "problem.en.pdf");
        match english.or(pdfs.first()) {
            Some((_, path)) => self.copy_unchanged(path, "problem.pdf"),
            None => self.notes.remark("DOMjudge will show no statement: the package has no statement as PDF"),
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
