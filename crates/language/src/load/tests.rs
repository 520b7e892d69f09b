use super::*;

fn with(text: &str) -> Result<Table, TableError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    std::fs::write(&file, text).unwrap();
    Table::load(&[file])
}

fn row<'a>(table: &'a Table, id: &str) -> &'a Language {
    table.languages.iter().find(|language| language.id == id).unwrap()
}

#[test]
fn the_built_in_table_is_sound_and_has_the_formats_names() {
    let table = Table::load(&[]).unwrap();
    for id in "c cpp java python3 rust kotlin go javascript typescript csharp haskell ocaml pascal ruby php perl bash"
        .split(' ')
    {
        assert!(!row(&table, id).endings.is_empty(), "{id}");
    }
    assert_eq!(table.languages[0].id, "c", "the order is the file's");
}

#[test]
fn a_row_with_a_known_id_changes_only_the_keys_that_it_gives() {
    let table = with("[[language]]\nid = \"cpp\"\nname = \"C++ of ours\"\n").unwrap();
    let built_in = Table::load(&[]).unwrap();
    assert_eq!(row(&table, "cpp").name, "C++ of ours");
    assert_eq!(row(&table, "cpp").compile, row(&built_in, "cpp").compile);
    assert_eq!(table.languages.len(), built_in.languages.len());
}

#[test]
fn a_row_with_a_new_id_is_added() {
    let text = "[[language]]\nid = \"lua\"\nname = \"Lua\"\nendings = [\"lua\"]\nrun = [\"{tool:lua}\", \"{main}\"]\n\
                [[tool]]\nname = \"lua\"\ninstall = \"apt-get install lua5.4\"\n";
    let table = with(text).unwrap();
    assert_eq!(row(&table, "lua").tools()[0].install, "apt-get install lua5.4");
    assert!(table.endings().contains("Lua (.lua)"));
}

#[test]
fn a_tools_row_can_name_another_command() {
    let table = with("[[tool]]\nname = \"gcc\"\ncommands = [\"/bin/sh\"]\n").unwrap();
    assert_eq!(row(&table, "c").tools()[0].find().unwrap().path, Path::new("/bin/sh"));
}

#[test]
fn a_tool_that_no_language_uses_is_known_and_can_be_changed() {
    let table = with("[[tool]]\nname = \"viva\"\ncommands = [\"/bin/sh\"]\n").unwrap();
    assert_eq!(table.tool("viva").unwrap().find().unwrap().path, Path::new("/bin/sh"));
    assert!(table.tool("gcc").is_some() && table.tool("no such tool").is_none());
}

#[test]
fn the_commands_of_other_judges_replace_ours_and_the_users_replace_both() {
    let words = |table: &Table, id: &str| format!("{:?}", row(table, id).compile);
    let built_in = Table::load(&[]).unwrap();
    for (judge, option) in [(CommandsOf::Kattis, "\"-g\""), (CommandsOf::Domjudge, "-pipe")] {
        let table = Table::load_like(Some(judge), &[]).unwrap();
        assert_eq!(table.ids(), built_in.ids(), "they add no language");
        for id in ["c", "cpp"] {
            assert!(words(&table, id).contains(option) && !words(&built_in, id).contains(option), "{id}");
        }
        assert_eq!(row(&table, "python3").run, row(&built_in, "python3").run);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    std::fs::write(&file, "[[language]]\nid = \"c\"\ncompile = [\"{tool:gcc}\", \"-O1\"]\n").unwrap();
    let table = Table::load_like(Some(CommandsOf::Kattis), &[file]).unwrap();
    assert!(words(&table, "c").contains("-O1") && words(&table, "cpp").contains("gnu++23"));
}

#[test]
fn a_choice_of_the_user_decides_the_words_of_a_command() {
    let words = |alternatives: &str| {
        let table = with(&format!("[[choice]]\nname = \"static C\"\nalternatives = {alternatives}\n")).unwrap();
        let values = crate::TemplateValues {
            sources: &["a.c".into()],
            main: Path::new("a.c"),
            entry_point: "",
            folder: Path::new("/"),
            memory_mib: 64,
            prepared: None,
        };
        let language = row(&table, "c").clone();
        (language.commands(&values).unwrap().compile.unwrap().join(" ".as_ref()), language.remarks().join(""))
    };
    let (dynamic, remark) = words("[[]]");
    assert!(!dynamic.to_string_lossy().contains("-static") && remark.is_empty(), "{dynamic:?} {remark}");
    let (rejected, remark) = words("[[\"-no-such-option\"], [\"-O1\"]]");
    assert!(rejected.to_string_lossy().contains(" -O1 ") && remark.contains("linked dynamically"), "{rejected:?}");
}

/// GCC ignores a precompiled header that was made with other options, without a message.
#[test]
fn headers_are_precompiled_with_the_options_of_programs() {
    let of_programs = ["-I", "\"c++\"", "Binary", "Sources", "\"-o\"", "static", "linker", "-lrt", "-pipe"];
    let of_headers = ["\"-w\"", "\"c++-header\"", "Main", "\"-o\"", "Plugin"];
    for judge in [None, Some(CommandsOf::Kattis), Some(CommandsOf::Domjudge)] {
        let table = Table::load_like(judge, &[]).unwrap();
        let language = row(&table, "cpp");
        let options = |words: &Option<Vec<TemplateWord>>, except: &[&str]| -> Vec<String> {
            let words = words.iter().flatten().map(|word| format!("{word:?}"));
            words.filter(|word| !except.iter().any(|part| word.contains(part))).collect()
        };
        let found = options(&language.precompile, &of_headers);
        assert!(found.len() >= 3, "{found:?}");
        assert_eq!(found, options(&language.compile, &of_programs), "{judge:?}");
    }
}

#[test]
fn a_substitute_lends_its_commands_and_name_but_not_its_id() {
    let table = Table::load(&[]).unwrap();
    let (python, pypy) = (row(&table, "python3"), row(&table, "pypy3"));
    let substitute = python.substitute().unwrap();
    assert_eq!((substitute.id.as_str(), &substitute.name, &substitute.run), ("python3", &pypy.name, &pypy.run));
    assert_eq!(substitute.endings, python.endings);
    assert!(substitute.substitute().is_none() && row(&table, "c").substitute().is_none());
    let without = with("[[language]]\nid = \"python3\"\nsubstitute = \"\"\n").unwrap();
    assert!(row(&without, "python3").substitute().is_none());
}

#[test]
fn a_language_takes_an_ending_only_by_saying_that_it_wins() {
    let claim = "[[language]]\nid = \"pypy3\"\nendings = [\"py\"]\n";
    let message = with(claim).unwrap_err().to_string();
    assert!(message.contains("both claim the ending \"py\"") && message.contains("wins_over"), "{message}");
    let table = with(&format!("{claim}wins_over = [\"python3\"]\n")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.py");
    std::fs::write(&file, "").unwrap();
    let detected = table.detect(&file, None, crate::Shebangs::Ignored);
    assert!(matches!(detected, crate::Detected::Source(language) if language.id == "pypy3"));
}

#[test]
fn what_cannot_be_used_is_refused_with_its_place_what_was_found_and_what_is_allowed() {
    let new = "[[language]]\nid = \"lua\"\nname = \"Lua\"\n";
    for (text, place, words) in [
        ("[[language]]\nid = \"c\"\nnmae = \"C\"\n", "3:1", "unknown field `nmae`, expected one of `id`, `name`"),
        ("[[langauge]]\n", "1:3", "unknown field `langauge`, expected one of `language`, `tool`, `choice`"),
        ("[[language]]\nid = \"c\"\nendings = \"c\"\n", "3:11", "invalid type: string \"c\", expected a sequence"),
        ("[[language]]\nid = \"c\"\nrun = [\"{biary}\"]\n", "3:7", "found {biary}, allowed: {main}"),
        (
            "[[language]]\nid = \"C#\"\nname = \"C\"\n",
            "2:6",
            "found the id \"C#\", allowed: lower case letters and digits",
        ),
        ("[[language]]\nname = \"C\"\n", "1:1", "missing field `id`"),
        (new, "2:6", "the language \"lua\" is new, and needs the key \"run\""),
        (&format!("{new}run = [\"{{tool:lua}}\"]\n"), "2:6", "there is no tool \"lua\"; add a [[tool]], or use one of"),
        ("[[language]]\nid = \"c\"\nendings = [\".c\"]\n", "2:6", "found the ending \".c\", allowed"),
        ("[[language]]\nid = \"c\"\nwins_over = [\"b\"]\n", "2:6", "which is not a known language; known: c, cpp"),
        ("[[language]]\nid = \"c\"\n[[language]]\nid = \"c\"\n", "4:6", "is defined twice, first at"),
        ("[[tool]]\nname = \"lua\"\n", "2:8", "the tool \"lua\" is new, and needs the key 'install'"),
        (
            "[[language]]\nid = \"c\"\nsubstitute = \"b\"\n",
            "2:6",
            "the substitute \"b\" is not a known language; known: c, cpp",
        ),
        ("[[language]]\nid = \"python3\"\nrun = []\n", "2:6", "\"python3\" has an empty list as 'run'; allowed"),
        ("[[tool]]\nname = \"gcc\"\ncommands = []\n", "2:8", "\"gcc\" has an empty list as 'commands'; allowed"),
        (
            "[[language]]\nid = \"c\"\nrun = [\"{choice:x}\"]\n",
            "2:6",
            "there is no choice \"x\"; add a [[choice]], or use",
        ),
        (
            "[[choice]]\nname = \"x\"\ntool = \"gcc\"\n",
            "2:8",
            "the choice \"x\" is new, and needs the key \"alternatives\"",
        ),
        ("[[choice]]\nname = \"static C\"\ntool = \"x\"\n", "2:8", "there is no tool \"x\""),
        ("[[choice]]\nname = \"static C\"\nalternatives = []\n", "2:8", "has an empty list as 'alternatives'"),
        ("[[language]\n", "1:12", ""),
    ] {
        let message = with(text).unwrap_err().to_string();
        assert!(message.contains(&format!("own.toml:{place}: ")) && message.contains(words), "{text}\n{message}");
    }
}

#[test]
fn headers_with_which_all_sources_begin_are_precompiled_together() {
    let leading = |table: &Table, texts: &[&str]| {
        row(table, "cpp").leading_headers(texts.iter().map(|text| text.as_bytes())).join(" ")
    };
    let table = Table::load(&[]).unwrap();
    let text = "#include <vector>\n#include <map>\n#include <set>\n";
    assert_eq!(leading(&table, &[text]), "vector map set");
    assert_eq!(leading(&table, &[text, "#include <vector>\n#include <map>\n#include <queue>\n"]), "vector map");
    assert_eq!(leading(&table, &[text, "int x;\n"]), "");
    assert_eq!(leading(&table, &[&text.replace("map", "../map")]), "vector");
    assert_eq!(leading(&table, &[]), "");
    let off = with("[[language]]\nid = \"cpp\"\nheaders = []\n").unwrap();
    assert_eq!(leading(&off, &[text]), "", "the user turned precompiling off");
    assert!(row(&table, "c").leading_headers(std::iter::once(text.as_bytes())).is_empty());
}

#[test]
fn a_file_that_changes_how_programs_are_compiled_stops_compiling_them_together() {
    let words = |text: &str| {
        let table = with(text).unwrap();
        row(&table, "java").compile_together.as_ref().map(Vec::len)
    };
    assert!(words("").is_some());
    assert!(words("[[language]]\nid = \"java\"\nname = \"J\"\n").is_some());
    let compile = "[[language]]\nid = \"java\"\ncompile = [\"{tool:javac}\", \"{sources}\"]\n";
    assert_eq!(words(compile), None);
    assert_eq!(words(&format!("{compile}compile_together = [\"a\", \"b\"]\n")), Some(2));
    assert_eq!(words("[[language]]\nid = \"java\"\ncompile_together = []\n"), None);
    let has_metamutants = |text: &str| row(&with(text).unwrap(), "cpp").compile_metamutant.is_some();
    assert!(has_metamutants(""));
    assert!(!has_metamutants("[[language]]\nid = \"cpp\"\ncompile = [\"{tool:g++}\", \"{sources}\"]\n"));
}
