// Checks that the made-up lines are valid by the binary's JSON Schema, so the binary could have written them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";

import { lineTypes } from "./line_types.mjs";
import { SAMPLES } from "./samples.mjs";

/** The number formats of the schema. They name the binary's integer widths, which do not matter in JSON. */
const WIDTHS = ["uint", "uint8", "uint16", "uint32", "uint64", "int32", "int64", "double"];
const schema = JSON.parse(readFileSync(process.env.SCHEMA, "utf8"));
const isLine = new Ajv2020({ formats: Object.fromEntries(WIDTHS.map((width) => [width, true])) }).compile(schema);

/** Types of lines that only pages have, and one type that a later version may write. The schema has none of them. */
const OTHERS = new Set([
  "page",
  "case_told",
  "exhibit",
  "find_told",
  "left_out",
  "remarks",
  "first_error",
  "similar_source",
  "unknown_type",
]);

/** Returns the line and the errors of the schema for its own type. */
function complaints(line) {
  const own = schema.oneOf.findIndex((kind) => kind.properties.type.const === line.type);
  const errors = isLine.errors.filter((error) => error.schemaPath.startsWith(`#/oneOf/${own}/`));
  return `${JSON.stringify(line).slice(0, 200)}\n${JSON.stringify(own < 0 ? "unknown type" : errors)}`;
}

for (const [name, text] of SAMPLES)
  test(`the lines of ${name} are valid by the schema`, { skip: name === "cut" && "its last line is cut" }, () => {
    for (const written of text().split("\n")) {
      const line = JSON.parse(written);
      assert.ok(OTHERS.has(line.type) || isLine(line), isLine.errors && complaints(line));
    }
  });

test("the page's scripts are checked against the types of the schema", () => {
  const types = readFileSync(new URL("../../crates/report/src/html/page/lines.d.ts", import.meta.url), "utf8");
  assert.equal(types, lineTypes(schema), "lines.d.ts is out of date; run the command at the head of line_types.mjs");
});
