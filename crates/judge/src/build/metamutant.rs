//! Builds metamutants. A metamutant is a program that contains copies of another program, most of them mutants. Its
//! first argument is the number of the copy that it runs, so many mutants need only one compilation (R. Untch, J.
//! Offutt, M. Harrold, "Mutation analysis using mutant schemata", ISSTA 1993).
//!
//! The caller writes the sources. The judge compiles them in the same sandbox as other programs, with the command that
//! the table of languages has for metamutants.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::build::compilation::Compilation;
use crate::build::executable::Executable;
use crate::build::product_digest::Digest;
use crate::build::together::{compilation, for_all};
use crate::build::{Built, Source, compile};
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_files::regular;

/// The endings of the files that the compiler writes: sources after preprocessing, and code in assembly language.
const PREPROCESSED: &str = "ii";
const ASSEMBLY: &str = "s";

/// Maximum size of such a file, in bytes. The assembly code of 64 mutants has about 1 MB, and all headers about 3 MB.
const LARGEST_TEXT_BYTES: u64 = 64 << 20;

/// A compiled program that contains several mutants.
pub struct Metamutant(Executable);

/// A mutant that is contained in a metamutant.
#[derive(Clone)]
pub struct Contained {
    /// The program that contains the mutant.
    pub metamutant: Arc<Metamutant>,
    /// The mutant's number in this program.
    pub number: usize,
    /// The digest of the mutant's code in this program.
    pub product: Digest,
    /// The CPU time of the unchanged program in this metamutant on each test case of the package. `None` if every mutant
    /// needs as much time and memory in the metamutant as alone. Otherwise, a mutant is run alone where it takes much
    /// longer than the unchanged program, or reaches another limit.
    pub usual_times: Option<Arc<[Duration]>>,
}

/// The result of building a metamutant.
pub enum MetamutantBuild {
    /// The program can be run. Contains the files that the compiler wrote on the way.
    Ready(Arc<Metamutant>, Intermediate),
    /// The program does not compile. Contains the compiler's message.
    Failed(String),
    /// The language has no command for metamutants, or this machine cannot build the program.
    Unavailable,
}

/// The texts that a compiler makes from the sources, one for each source. They have no particular order.
#[derive(Debug, Default)]
pub struct Intermediate {
    /// The sources after preprocessing.
    pub preprocessed: Vec<String>,
    /// The code in assembly language.
    pub assembly: Vec<String>,
}

impl Metamutant {
    /// Returns the program that runs the copy with this number.
    pub(crate) fn copy(&self, number: usize) -> Executable {
        self.0.with_first_argument(number.to_string().into())
    }
}

/// Compiles the source, which contains `copies` programs. No cache stores the result.
pub(crate) fn build(
    source: &Source<'_>,
    copies: usize,
    settings: &Settings,
    site: Site<'_>,
) -> Result<MetamutantBuild, JudgeError> {
    let plain = for_all(&settings.without_cache(), copies);
    // Files that the package adds to submissions could contain the function `main` or other parts of the program.
    let Some(compilation) = compilation(source, &plain, site)?.filter(Compilation::has_only_sources) else {
        return Ok(MetamutantBuild::Unavailable);
    };
    let Some(command) = compilation.metamutant_command() else { return Ok(MetamutantBuild::Unavailable) };
    if let Err(failure) = compile::compile(compilation.compiler(command, &plain), compilation.folder())? {
        return Ok(MetamutantBuild::Failed(failure.message()));
    }
    let intermediate = take_intermediate(compilation.folder())?;
    Ok(match compilation.compiled() {
        Built::Ready(program) => MetamutantBuild::Ready(Arc::new(Metamutant(program)), intermediate),
        _ => MetamutantBuild::Unavailable,
    })
}

/// Takes the files out of the folder that the compiler wrote besides the program.
fn take_intermediate(folder: &Path) -> Result<Intermediate, JudgeError> {
    let failed = |source| JudgeError::System { doing: "reading the compiled files", source };
    let mut taken = Intermediate::default();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let texts = match path.extension().and_then(OsStr::to_str) {
            Some(PREPROCESSED) => Some(&mut taken.preprocessed),
            Some(ASSEMBLY) => Some(&mut taken.assembly),
            Some("o") => None,
            _ => continue,
        };
        if let Some(texts) = texts {
            texts.extend(regular::read_to_string(&path, LARGEST_TEXT_BYTES).ok());
        }
        fs::remove_file(&path).map_err(failed)?;
    }
    Ok(taken)
}
