// Prints how long the large reports take to open and to scroll. It asserts nothing, because machines differ.

import { statSync } from "node:fs";

import { open, sampleFile, start } from "./browser.mjs";

const browser = await start();
for (const name of ["grading", "large", "wide", "strength-large"]) {
  const file = sampleFile(name);
  const page = await open(browser, file);
  const figures = await page.evaluate(timings);
  console.log(
    `${name}: ${(statSync(file).size / 1048576).toFixed(1)} MiB, ${await page.locator("*").count()} elements`,
  );
  console.log(
    `  ${Object.entries(figures)
      .map(([what, value]) => `${what} ${Math.round(value)} ms`)
      .join(", ")}`,
  );
  if ((await page.locator(".grid-scroll").count()) > 0) {
    const frames = await page.locator(".grid-scroll").first().evaluate(scrolling);
    console.log(
      `  scrolling the matrix: ${frames.count} frames, median ${frames.median.toFixed(1)} ms, ` +
        `longest ${frames.longest.toFixed(1)} ms`,
    );
  }
  if (name === "large") {
    await page.locator("#matrix .grid-cell").first().focus();
    console.log(
      `  typing into the filter: ${(await page.locator("#submission-filter").evaluate(typing)).toFixed(0)} ms`,
    );
  }
  await page.context().close();
}
await browser.close();

/** Runs in the page. Returns how long the page took to open, in milliseconds, as the browser measured it. */
async function timings() {
  const [navigation] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const tasks = await new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
    observer.observe({ type: "longtask", buffered: true });
    setTimeout(() => resolve([]), 500);
  });
  return {
    DOMContentLoaded: navigation.domContentLoadedEventEnd,
    "first paint": paint?.startTime ?? NaN,
    "all long tasks": tasks.reduce((sum, { duration }) => sum + duration, 0),
    "longest task": tasks.reduce((most, { duration }) => Math.max(most, duration), 0),
  };
}

/** Runs in the page. Scrolls the matrix from corner to corner, and returns the times of the frames in milliseconds. */
async function scrolling(box) {
  const times = [];
  let before = performance.now();
  for (let step = 1; step <= 90; step += 1) {
    box.scrollTo((box.scrollWidth * step) / 90, (box.scrollHeight * step) / 90);
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - before);
    before = performance.now();
  }
  times.sort((one, other) => one - other);
  return { count: times.length, median: times[45], longest: times.at(-1) };
}

/** Runs in the page. Returns the milliseconds from typing into the filter until the browser has drawn the result. */
async function typing(input) {
  const before = performance.now();
  input.value = "team-1";
  input.dispatchEvent(new InputEvent("input"));
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
  return performance.now() - before;
}
