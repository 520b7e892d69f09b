// Puts made-up lines into the frame of a real report: into the page that the binary wrote, in the place of its lines.

import { readFileSync } from "node:fs";

const BEGIN = '<script type="application/json" id="report">\n';
const END = "</script>";

/** The page around the lines, before them and after them. */
function frame() {
  const page = readFileSync(process.env.FRAME, "utf8");
  const begin = page.indexOf(BEGIN) + BEGIN.length;
  return [page.slice(0, begin), page.slice(page.indexOf(END, begin))];
}

/** One line of the report; nothing in it ends the element that it stands in. */
export const lineOf = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** The page that shows `text`, which is the lines, whole or cut. */
export function pageOf(text) {
  const [before, after] = frame();
  return `${before}${text}\n${after}`;
}
