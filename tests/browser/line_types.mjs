// Writes the TypeScript types of the report's JSON lines from the JSON Schema, to type-check the page's scripts.
//
//     target/release/referee schema | node tests/browser/line_types.mjs > crates/report/src/html/page/lines.d.ts

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const HEAD = `// The JSON lines of a report. tests/browser/line_types.mjs writes this file from \`referee schema\`.
`;

/** Returns the TypeScript type of a schema. Throws on a schema that this script does not know. */
function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref.replace("#/$defs/", "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "integer":
      return "number";
    case "number":
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      return schema.prefixItems === undefined
        ? `Array<${typeOf(schema.items)}>`
        : `[${schema.prefixItems.map(typeOf).join(", ")}]`;
    case "object":
      return `Record<string, ${typeOf(schema.additionalProperties)}>`;
    default:
      throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  }
}

function interfaceOf(name, { properties, required = [] }) {
  const fields = Object.entries(properties).map(
    ([field, schema]) => `    ${field}${required.includes(field) ? "" : "?"}: ${typeOf(schema)};\n`,
  );
  return `  interface ${name} {\n${fields.join("")}  }\n`;
}

const named = (snakeCase) =>
  snakeCase
    .split("_")
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("");

/** Returns the declarations of all lines, in a namespace, because the browser has global types of the same names. */
export function lineTypes({ oneOf, $defs }) {
  const definitions = Object.entries($defs).map(([name, schema]) =>
    schema.properties === undefined ? `  type ${name} = ${typeOf(schema)};\n` : interfaceOf(name, schema),
  );
  const lines = oneOf.map((schema) => [named(schema.properties.type.const), schema]);
  const body = [
    `  type Line =\n${lines.map(([name]) => `    | ${name}`).join("\n")};\n`,
    ...lines.map(([name, schema]) => interfaceOf(name, schema)),
    ...definitions,
  ];
  return `${HEAD}\ndeclare namespace Json {\n${body.join("\n")}}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(lineTypes(JSON.parse(readFileSync(0, "utf8"))));
}
