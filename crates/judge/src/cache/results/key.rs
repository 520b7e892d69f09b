//! Computes the keys of results, which cover everything that a result depends on. The patterns below list every field
//! instead of using `..`. So a new field causes a compile error until this module says whether results depend on it.

use blake3::Hasher;

use super::input_digest::{CaseKey, HashedFile};
use super::program::ProgramKey;
use crate::cache::build_cache::contents::hash_field;
use crate::cache::environment::Scope;
use crate::{Settings, enforcement};
use referee_package::{Kind, Limits, Package, TestCase};
use referee_sandbox::{inherited_limits, inherited_scheduling};

/// Version of the format. Raise it when the contents of a result, or their meaning, change without a change of the
/// judge's sources.
const FORMAT: &str = "results 1";

/// Hashes named fields. Different lists of fields never hash the same bytes.
struct Ingredients(Hasher);

impl Ingredients {
    fn new(of_what: &str) -> Ingredients {
        let mut hasher = Hasher::new();
        hash_field(&mut hasher, of_what.as_bytes());
        Ingredients(hasher)
    }

    fn add(&mut self, name: &str, value: &[u8]) -> &mut Self {
        hash_field(&mut self.0, name.as_bytes());
        hash_field(&mut self.0, value);
        self
    }

    fn add_all(&mut self, name: &str, values: &[String]) -> &mut Self {
        self.add(name, &(values.len() as u64).to_le_bytes());
        for value in values {
            self.add("", value.as_bytes());
        }
        self
    }

    fn done(&self) -> blake3::Hash {
        self.0.finalize()
    }
}

/// Returns the digest of everything that a result depends on, except the program and the test case. `validators`
/// contains each validator's name and the bytes that identify the validator. Returns `None` if a part cannot be
/// determined.
pub(super) fn of_context(
    package: &Package,
    settings: &Settings,
    validators: &[(String, Vec<u8>)],
) -> Option<blake3::Hash> {
    let Settings {
        jobs: _,
        time_limit,
        limits,
        repeat,
        run_until: _,
        file_writing,
        sandbox,
        warm,
        // `validators` covers the rules of the default validator, and testlib's header.
        legacy_arguments: _,
        testlib: _,
        dialect,
        // A run that stores feedback files uses no results from the cache.
        feedback: _,
        // The key of the program covers the language and the tools.
        languages: _,
        shebangs: _,
        substitutes: _,
        cache: _,
        anew: _,
        // These two settings do not change results: a result of an earlier run is used only if its key is equal.
        earlier: _,
        keyed: _,
        // Points follow from results.
        points: _,
        build,
        // The result of one program does not depend on the other programs.
        partition: _,
        until: _,
        // Precompiled headers change no program.
        shared_headers: _,
        // A program that was compiled together with others is the same as if it had been compiled alone.
        compiled: _,
        // The wall limit below covers it.
        run_wall: _,
        has_memory_verdict,
        // Only a caller without a result cache asks for the whole output.
        written_bytes: _,
        processes,
        keeps_cores,
        activity: _,
    } = settings;
    let Limits {
        // The key covers `time_limit` of the settings instead.
        time: _,
        memory_bytes,
        output_bytes,
        // A program that exceeds these limits is not run and has no result.
        code_bytes: _,
        compilation_time: _,
        compilation_memory_bytes: _,
        // `validators` covers the limits of the package's own validators.
        validation_time: _,
        validation_memory_bytes: _,
        validation_output_bytes: _,
        // This field only says which of the memory limits the package does not state.
        unstated_memory: _,
        // Generators run before there are test cases.
        generation_time: _,
        validation_passes,
    } = limits;
    let Kind { scoring, interactive, multi_pass, submit_answer, static_validation } = package.kind;
    let mut ingredients = Ingredients::new(FORMAT);
    ingredients
        .add("judge", (*build)?.as_bytes())
        .add("version", env!("CARGO_PKG_VERSION").as_bytes())
        .add("kind", &[scoring, interactive, multi_pass, submit_answer, static_validation].map(u8::from))
        .add("dialect", format!("{dialect:?}").as_bytes())
        .add("memory verdict", &[u8::from(*has_memory_verdict)])
        .add("time", &time_limit.duration().as_nanos().to_le_bytes())
        .add("wall", &settings.wall().as_nanos().to_le_bytes())
        .add("repeat", &repeat.get().to_le_bytes())
        .add("limits of the shell", &serde_json::to_vec(&inherited_limits()).ok()?)
        .add("scheduling of the shell", &serde_json::to_vec(&inherited_scheduling()).ok()?)
        .add("memory", &memory_bytes.to_le_bytes())
        .add("output", &output_bytes.to_le_bytes())
        .add("passes", &if multi_pass { *validation_passes } else { 1 }.to_le_bytes())
        .add("processes", &processes.to_le_bytes())
        .add("cores", &[u8::from(*keeps_cores)])
        .add("file writing", &[u8::from(*file_writing)])
        .add("sandbox", format!("{sandbox:?}").as_bytes())
        .add("warm", &[u8::from(*warm)])
        .add("walls", &serde_json::to_vec(&enforcement(*sandbox)).ok()?);
    for (name, rules) in validators {
        ingredients.add("validator", name.as_bytes()).add("rules", rules);
    }
    for fact in settings.scope().facts() {
        ingredients.add("surroundings", fact.as_bytes());
    }
    Some(ingredients.done())
}

/// Returns the key of the file that contains the results of a program.
pub(super) fn of_program(context: &blake3::Hash, program: &ProgramKey) -> blake3::Hash {
    Ingredients::new("page").add("bench", context.as_bytes()).add("program", program.as_bytes()).done()
}

/// Returns the key of data that depends on all test cases together and on the values `of`. `keys` are the keys of
/// `cases`, in the same order.
pub(super) fn of_all_cases(
    context: &blake3::Hash,
    cases: &[TestCase],
    keys: &[blake3::Hash],
    of: &[Vec<u8>],
) -> blake3::Hash {
    let mut ingredients = Ingredients::new("all");
    ingredients.add("bench", context.as_bytes());
    for (case, key) in cases.iter().zip(keys) {
        ingredients.add("case", case.name.as_bytes()).add("key", key.as_bytes());
    }
    for part in of {
        ingredients.add("of", part);
    }
    ingredients.done()
}

/// Returns the key of a program's compile error. It covers the software of the machine, because the compiler reads
/// headers and libraries. Returns `None` if the build of the judge is unknown.
pub(super) fn of_compile_error(program: &ProgramKey, settings: &Settings) -> Option<blake3::Hash> {
    let mut ingredients = Ingredients::new("compile error");
    ingredients.add("judge", settings.build?.as_bytes()).add("program", program.as_bytes());
    ingredients.add_all("software", &Scope::ThisMachine.facts());
    Some(ingredients.done())
}

/// Returns the key of the note `name` about a program.
pub(super) fn of_note(name: &str) -> blake3::Hash {
    Ingredients::new("note").add("name", name.as_bytes()).done()
}

/// Returns the key of a test case for the output validators with the names `validators`. If `names_count` is true, the
/// key covers the test case's name, because the validators can see it. Returns `None` if a file cannot be read: the run
/// then reports the error.
pub(super) fn of_case(case: &TestCase, validators: &[String], names_count: bool) -> Option<CaseKey> {
    let TestCase {
        name,
        // `HashedFile::all_of` hashes these files.
        paths: _,
        files,
        arguments,
        output_validator_arguments,
        // Verdicts do not depend on the following fields.
        input_validator_arguments: _,
        answer_validator_arguments: _,
        output: _,
        // Reports show the current description.
        description: _,
    } = case;
    let hashed = HashedFile::all_of(case)?;
    let mut ingredients = Ingredients::new("case");
    if names_count {
        ingredients.add("name", name.as_bytes());
    }
    for file in &hashed {
        ingredients.add(&file.name, file.hash.as_bytes());
    }
    ingredients.add("beside the program", &[u8::from(files.is_some())]).add_all("arguments", arguments);
    for validator in validators {
        ingredients.add_all(validator, &output_validator_arguments.of(validator));
    }
    Some(CaseKey::new(ingredients.done(), &hashed))
}
