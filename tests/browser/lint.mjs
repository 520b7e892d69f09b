// Runs ESLint on each of the page's scripts and of these tests, then on the page's scripts joined into one. Only the
// joined script shows which functions no file uses.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { ESLint } from "eslint";

const ROOT = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const PAGE = join(ROOT, "crates/report/src/html/page");

const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: join(ROOT, "tests/browser/eslint.config.mjs") });

/** Joins the page's scripts as frame.rs does: in the same order, inside one function. */
function wholeScript() {
  const frame = readFileSync(join(PAGE, "../frame.rs"), "utf8");
  const names = Array.from(frame.matchAll(/include_str!\("page\/(\w+\.js)"\)/g), ([, name]) => name);
  const files = names.map((name) => ({ name, text: readFileSync(join(PAGE, name), "utf8") }));
  const origins = files.flatMap(({ name, text }) =>
    Array.from({ length: text.split("\n").length - 1 }, (_, index) => `${name}:${index + 1}`),
  );
  return { text: `(() => {\n"use strict";\n${files.map(({ text }) => text).join("")}})();\n`, origins };
}

const results = await eslint.lintFiles(["tests/browser", "crates/report/src/html/page"]);
const { text, origins } = wholeScript();
const [whole] = await eslint.lintText(text, { filePath: join(PAGE, "whole/script.js") });
for (const { ruleId, message, line } of whole.messages) {
  // The other rules have the same results in the separate files.
  if (["no-undef", "no-unused-vars", null].includes(ruleId)) {
    console.log(`crates/report/src/html/page/${origins[line - 3] ?? "?"}: ${message} (${ruleId})`);
    process.exitCode = 1;
  }
}
console.log((await eslint.loadFormatter("stylish")).format(results));
if (results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0)) process.exitCode = 1;
