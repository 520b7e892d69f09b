//! Compiles a program with files that the judge has prepared for the compiler: a precompiled header, or an archive of the
//! compiler's own classes.

use std::ffi::OsString;

use super::Compilation;
use crate::JudgeError;
use crate::build::archive;
use crate::build::compile::CompileFailure;
use crate::build::headers::{Request, Templates};
use crate::build::preparer::Preparer;
use crate::workspace::prepared::{Prepared, SharedHeaders};
use referee_language::{TemplateValues, may_have_pragma};

impl Compilation<'_> {
    /// Compiles the program, with prepared files if there are any. If that fails, compiles the program without them, so
    /// that these files cause no error and change no message.
    pub(super) fn compile(&self) -> Result<Result<(), CompileFailure>, JudgeError> {
        if let Some(prepared) = self.prepared()? {
            match self.run_compiler(Some(&prepared)) {
                // The judge failed, not the compiler. The sources may be gone, so a second attempt could be CE.
                Err(error) => return Err(error),
                Ok(Ok(())) => return Ok(Ok(())),
                // The compiler succeeded, so compiling again would give the same files.
                Ok(Err(refused @ CompileFailure::Refused(_))) => return Ok(Err(refused)),
                Ok(Err(_)) => {}
            }
        }
        self.compile_with_space()
    }

    pub(super) fn command_with(&self, prepared: &Prepared) -> Option<Vec<OsString>> {
        let parts = self.parts(self.entry_point.unwrap_or(self.language.entry_point()));
        self.language.commands(&TemplateValues { prepared: Some(prepared.file()), ..parts }).ok()?.compile
    }

    /// Returns the files that the compiler can use; `None` if there are none. Fails only if the run was interrupted.
    fn prepared(&self) -> Result<Option<Prepared>, JudgeError> {
        if let Some(header) = self.precompiled_header()? {
            return Ok(Some(header));
        }
        archive::get(&self.preparer())
    }

    /// Returns the precompiled header that the program can use; `None` if there is none. Fails only if the run was
    /// interrupted.
    fn precompiled_header(&self) -> Result<Option<Prepared>, JudgeError> {
        let Some(texts) = self.source_texts() else { return Ok(None) };
        let texts = || texts.iter().map(Vec::as_slice);
        if let Some(shared) = self.settings.shared_headers.as_deref().filter(|_| !self.has_debug_info())
            && let [header, others @ ..] = &self.language.leading_headers(texts())[..]
            && let Some(made) = self.request(header, others, Templates::InPrograms, Some(shared)).get()?
        {
            return Ok(Some(made));
        }
        let Some(header) = self.language.header_of(texts()) else { return Ok(None) };
        self.request(header, &[], self.templates(texts()), None).get()
    }

    /// Returns where the templates of the program's header are instantiated. Mutants that compile to the same code must
    /// become the same files, even if only some of them are compiled with a precompiled header.
    fn templates<'t>(&self, mut texts: impl Iterator<Item = &'t [u8]>) -> Templates {
        let is_mutant = self.settings.shared_headers.is_some();
        let in_header = self.language.has_precompile_plugin() && !is_mutant && !texts.any(may_have_pragma);
        if in_header { Templates::InHeader } else { Templates::InPrograms }
    }

    /// Returns whether the compiler adds debugging information, which differs with a precompiled header. Mutants that
    /// compile to the same code would then be taken for different ones.
    fn has_debug_info(&self) -> bool {
        let words = self.commands.compile.iter().flatten();
        words.into_iter().any(|word| word.as_encoded_bytes().starts_with(b"-g"))
    }

    fn request<'r>(
        &'r self,
        header: &'r str,
        others: &'r [&'r str],
        templates: Templates,
        shared: Option<&'r SharedHeaders>,
    ) -> Request<'r> {
        Request { header, others, templates, shared, preparer: self.preparer() }
    }

    fn preparer(&self) -> Preparer<'_> {
        Preparer {
            language: self.language,
            variables: &self.commands.environment,
            readable: &self.tool_folders,
            settings: self.settings,
            site: self.site,
        }
    }
}
