// Builds test reports: replaces the JSON lines in a page that the binary wrote with made-up lines.

import { readFileSync } from "node:fs";

const BEGIN = '<script type="application/json" id="report">\n';
const END = "</script>";

/** Returns the parts of the page before and after its JSON lines. */
function frame() {
  const page = readFileSync(process.env.FRAME, "utf8");
  const begin = page.indexOf(BEGIN) + BEGIN.length;
  return [page.slice(0, begin), page.slice(page.indexOf(END, begin))];
}

/** Returns a value as one JSON line. It escapes `<`, so that no text can end the surrounding element. */
export const lineOf = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** Returns the page that shows `text`: JSON lines as of `--json` and of pages, of which the last may be cut. */
export function pageOf(text) {
  const [before, after] = frame();
  return `${before}${packed(text)}\n${after}`;
}

/** The fields of a result that have a column. */
const COLUMNS = [
  ...["type", "submission", "case", "verdict", "cpu_seconds", "wall_seconds", "memory_bytes"],
  ...["exit_code", "signal", "close", "cached"],
];

/** Packs each line `case_finished` into a line `results`, as the binary does in results.rs. */
function packed(text) {
  const numbers = new Map();
  const lines = text.split("\n").map((line) => {
    const isResult = line.startsWith('{"type":"case_finished",') && line.endsWith("}");
    return isResult ? lineOf(packedResult(JSON.parse(line), numbers)) : line;
  });
  return lines.join("\n");
}

function packedResult(result, numbers) {
  const name = numbers.get(result.case) ?? result.case;
  if (!numbers.has(result.case)) numbers.set(result.case, numbers.size);
  const micros = (seconds) => (seconds === null ? null : Math.round(seconds * 1e6));
  const isOther = ([key, value]) => !COLUMNS.includes(key) && value !== null;
  const others = Object.fromEntries(Object.entries(result).filter(isOther));
  const row = [name, result.verdict, micros(result.cpu_seconds), micros(result.wall_seconds), result.memory_bytes];
  const ending = result.signal === null ? result.exit_code : -result.signal;
  row.push(ending, (result.close ? 1 : 0) + (result.cached ? 2 : 0));
  if (Object.keys(others).length > 0) row.push(others);
  return { type: "results", submission: result.submission, rows: [row] };
}
