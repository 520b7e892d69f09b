// Opens reports from files in Chromium, and collects complaints about them.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

import { pageOf } from "./page.mjs";
import { SAMPLES } from "./samples.mjs";

const OPTIONS = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
};

/** The looks in which a page is tested: all of them, or the one that the environment variable `LOOK` names. */
export const LOOKS = [
  ["light", {}],
  ["dark", { colorScheme: "dark" }],
  ["phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
].filter(([name]) => [undefined, "", name].includes(process.env.LOOK));

export const start = () => chromium.launch(OPTIONS);

/** A temporary folder for the samples. Each sample is written when a test first needs it. */
const folder = mkdtempSync(join(tmpdir(), "referee-report-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const written = new Map();

/** Returns the path of a sample; writes the file at the first call. */
export function sampleFile(name) {
  if (!written.has(name)) {
    written.set(name, join(folder, `${name}.html`));
    writeFileSync(written.get(name), pageOf(SAMPLES.get(name)(), name));
  }
  return written.get(name);
}

/** Returns the paths of reports that real runs have written, in the folder that `REPORTS` names. */
export function realReports() {
  const where = process.env.REPORTS;
  return where
    ? readdirSync(where)
        .filter((name) => name.endsWith(".html"))
        .sort()
        .map((name) => join(where, name))
    : [];
}

/** Opens a report. `page.complaints` collects forbidden events: requests, console messages, errors, dialogs, popups. */
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  page.complaints = [];
  const address = pathToFileURL(file).href;
  page.on(
    "request",
    (request) => request.url().split("#")[0] === address || page.complaints.push(`request: ${request.url()}`),
  );
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(`console: ${message.text()}`),
  );
  page.on("pageerror", (error) => page.complaints.push(`error: ${error.stack}`));
  page.on("dialog", (dialog) => page.complaints.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
  page.on("popup", (popup) => page.complaints.push(`popup: ${popup.url()}`));
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective}`)),
  );
  await page.goto(address + (options.hash ?? ""));
  await page.locator("main:not([aria-busy]) > section").first().waitFor();
  return page;
}

/** Opens a report and calls `inspect` with its page. Throws if the page has complaints afterwards. */
export async function lookingAt(browser, file, inspect, options = {}) {
  const page = await open(browser, file, options);
  try {
    await inspect(page);
    if (page.complaints.length > 0) throw new Error(page.complaints.join("\n"));
  } finally {
    await page.context().close();
  }
}

/** Returns the names of the rows that the table of submissions shows. */
export const tableNames = (page) => page.locator(".submissions > tbody > tr > th .name").allTextContents();

/** Returns the row names of the matrix from top to bottom. Rows far outside the visible part are not in the page. */
export const matrixNames = (page) => page.locator("#matrix .grid-row-head .name").allTextContents();

/** Returns the text of the status line below the matrix. */
export const matrixStatus = (page) => page.locator("#matrix .grid-status").textContent();

/** Returns row and column, from 1, of the matrix cell that has the focus; null if another element has it. */
export function focusedCell(page) {
  return page.evaluate(() => {
    const cell = document.activeElement;
    const number = (element, name) => Number(element.getAttribute(name)) - 1;
    return cell.matches(".grid-cell")
      ? [number(cell.parentElement, "aria-rowindex"), number(cell, "aria-colindex")]
      : null;
  });
}
