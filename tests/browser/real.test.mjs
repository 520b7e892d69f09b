// Tests the reports that real runs of the binary have written.

import assert from "node:assert/strict";
import { basename } from "node:path";
import { after, before, describe, test } from "node:test";

import { violations } from "./axe.mjs";
import { LOOKS, lookingAt, realReports, start } from "./browser.mjs";

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

describe(
  "a report of a real run",
  { skip: realReports().length === 0 && "the environment variable REPORTS names no folder with reports" },
  () => {
    for (const file of realReports()) {
      // The tests of the samples cover the colours of the dark look.
      for (const [look, options] of LOOKS.filter(([name]) => name !== "dark")) {
        test(`${basename(file)} in ${look} is whole, fits, and axe finds nothing wrong`, () =>
          lookingAt(
            browser,
            file,
            async (page) => {
              assert.doesNotMatch(await page.locator("#outcome").textContent(), /Not finished/);
              assert.equal(await page.getByText("could not be read").count(), 0);
              assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
              assert.deepEqual(await violations(page, look), []);
            },
            options,
          ));
      }

      test(`${basename(file)} opens every result that failed`, () =>
        lookingAt(browser, file, async (page) => {
          const cells = page.locator("#matrix .grid-cell:not(.blank):not(.good)");
          const count = Math.min(await cells.count(), 12);
          // In this report, at least twelve results are known to fail.
          if (basename(file) === "grade-flipgame.html") assert.equal(count, 12);
          for (let index = 0; index < count; index += 1) {
            await cells.nth(index).click();
            await page.getByRole("dialog").waitFor();
            assert.equal(
              await page.locator("#details").evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth),
              false,
            );
            await page.keyboard.press("Escape");
          }
        }));
    }
  },
);
