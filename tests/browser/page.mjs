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

/** Returns the page that shows `text`: the JSON lines, of which the last may be cut. */
export function pageOf(text) {
  const [before, after] = frame();
  return `${before}${text}\n${after}`;
}
