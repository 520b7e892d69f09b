// Prints the CPU time that reports take to open, to filter and to show the details of a result. The arguments are the
// files. See `tests/browser/run measure FILE...`.

import { pathToFileURL } from "node:url";

import { start } from "./browser.mjs";

const browser = await start();
for (const file of process.argv.slice(2)) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  // The page's own CPU time does not depend on other work on the machine.
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(pathToFileURL(file).href);
  await page.locator("main:not([aria-busy]) > section").first().waitFor();
  await page.evaluate(drawn);
  const steps = [["open", await used(session)]];
  for (const text of ["7", ""]) {
    await page.locator("#submission-filter").evaluate(typing, text);
    await page.evaluate(drawn);
    steps.push([text === "" ? "empty the filter" : "filter", await used(session)]);
  }
  await page.evaluate(showing);
  await page.evaluate(drawn);
  steps.push(["show details", await used(session)]);
  const words = steps.map(([what, now], index) => `${what} ${difference(now, steps[index - 1]?.[1])}`);
  console.log(`${file}:\n  ${words.join("\n  ")}`);
  await context.close();
}
await browser.close();

/** Returns the CPU times of the page's thread so far, in milliseconds. */
async function used(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  const value = (name) => 1000 * metrics.find((metric) => metric.name === name).value;
  return {
    all: value("TaskDuration"),
    script: value("ScriptDuration"),
    layout: value("LayoutDuration"),
    style: value("RecalcStyleDuration"),
  };
}

function difference(now, before) {
  return Object.entries(now)
    .map(([what, time]) => `${what} ${Math.round(time - (before?.[what] ?? 0))} ms`)
    .join(", ");
}

/** Runs in the page. Waits until the browser has drawn the page. */
function drawn() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
}

/** Runs in the page. */
function typing(input, text) {
  input.value = text;
  input.dispatchEvent(new InputEvent("input"));
}

/** Runs in the page. Shows the details of the first failure. */
function showing() {
  document.querySelector(".submissions button.link").click();
}
