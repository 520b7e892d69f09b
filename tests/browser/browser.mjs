// A Chromium that only ever sees files, and says what it did not like.

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

/** What a page is looked at in: all of these, or the one that the environment names. */
export const LOOKS = [
  ["light", {}],
  ["dark", { colorScheme: "dark" }],
  ["phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
].filter(([name]) => [undefined, "", name].includes(process.env.LOOK));

export const start = () => chromium.launch(OPTIONS);

/** The folder of the samples of this process, made as they are asked for. */
const folder = mkdtempSync(join(tmpdir(), "referee-report-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const written = new Map();

/** The file of a sample. */
export function sampleFile(name) {
  if (!written.has(name)) {
    written.set(name, join(folder, `${name}.html`));
    writeFileSync(written.get(name), pageOf(SAMPLES.get(name)(), name));
  }
  return written.get(name);
}

/** The reports that real runs have written: those of the folder that `REPORTS` names. */
export function realReports() {
  const where = process.env.REPORTS;
  return where
    ? readdirSync(where)
        .filter((name) => name.endsWith(".html"))
        .sort()
        .map((name) => join(where, name))
    : [];
}

/** Opens a report; `page.complaints` gathers what must not happen: requests, messages, errors, dialogs, other pages. */
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

/** Lets `inspect` look at a report, and is content only if nothing happened that must not. */
export async function lookingAt(browser, file, inspect, options = {}) {
  const page = await open(browser, file, options);
  try {
    await inspect(page);
    if (page.complaints.length > 0) throw new Error(page.complaints.join("\n"));
  } finally {
    await page.context().close();
  }
}

/** The shown rows of the table of submissions, by name. */
export const tableNames = (page) => page.locator(".submissions > tbody > tr > th > .name").allTextContents();

/** The names at the left of the matrix that are in the page, from top to bottom. */
export const matrixNames = (page) => page.locator("#matrix .grid-row-head .name").allTextContents();

/** What the line below the matrix says. */
export const matrixStatus = (page) => page.locator("#matrix .grid-status").textContent();

/** The cell that has the focus, as row and column of the matrix from 1. */
export function focusedCell(page) {
  return page.evaluate(() => {
    const cell = document.activeElement;
    const number = (element, name) => Number(element.getAttribute(name)) - 1;
    return cell.matches(".grid-cell")
      ? [number(cell.parentElement, "aria-rowindex"), number(cell, "aria-colindex")]
      : null;
  });
}
