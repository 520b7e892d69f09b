// The made-up lines are lines that the binary could have written: they are as its schema wants them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";

import { lineTypes } from "./line_types.mjs";
import { SAMPLES } from "./samples.mjs";

/** In how many bits the binary keeps a number is no matter of a line's. */
const WIDTHS = ["uint", "uint8", "uint16", "uint32", "uint64", "int32", "int64", "double"];
const schema = JSON.parse(readFileSync(process.env.SCHEMA, "utf8"));
const isLine = new Ajv2020({ formats: Object.fromEntries(WIDTHS.map((width) => [width, true])) }).compile(schema);

/** Lines that are in pages only, beside those of a report, and one that a later version may write. */
const OTHERS = new Set(["page", "case_told", "exhibit", "find_told", "left_out", "unknown_type"]);

/** What is wrong with a line, told for its own kind. */
function complaints(line) {
  const own = schema.oneOf.findIndex((kind) => kind.properties.type.const === line.type);
  const errors = isLine.errors.filter((error) => error.schemaPath.startsWith(`#/oneOf/${own}/`));
  return `${JSON.stringify(line).slice(0, 200)}\n${JSON.stringify(own < 0 ? "unknown type" : errors)}`;
}

for (const [name, text] of SAMPLES)
  test(`the lines of ${name} are as the schema wants them`, { skip: name === "cut" && "its last line is cut" }, () => {
    for (const written of text().split("\n")) {
      const line = JSON.parse(written);
      assert.ok(OTHERS.has(line.type) || isLine(line), isLine.errors && complaints(line));
    }
  });

test("the page's scripts are checked against the types of the schema", () => {
  const types = readFileSync(new URL("../../crates/report/src/html/page/lines.d.ts", import.meta.url), "utf8");
  assert.equal(types, lineTypes(schema), "write lines.d.ts anew, as the head of line_types.mjs says");
});
