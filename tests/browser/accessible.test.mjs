// Tests the accessibility of the reports with axe.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { violations } from "./axe.mjs";
import { LOOKS, lookingAt, sampleFile, start } from "./browser.mjs";
import { SAMPLES } from "./samples.mjs";

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

describe("axe finds nothing wrong", () => {
  for (const [look, options] of LOOKS) {
    for (const name of SAMPLES.keys()) {
      // The other large matrices have the same elements, so one of them is enough.
      if (["narrow", "wide", "strength-large"].includes(name) || (name === "large" && look !== "light")) continue;
      test(`with ${name} in ${look}`, () =>
        lookingAt(
          browser,
          sampleFile(name),
          async (page) => {
            assert.deepEqual(await violations(page, look), []);
          },
          options,
        ));
    }

    test(`with the details of a result in ${look}`, () =>
      lookingAt(
        browser,
        sampleFile("grading"),
        async (page) => {
          for (const failing of [1, 2]) {
            if (failing === 1)
              await page.locator(".submissions").getByRole("button", { name: "sample/2" }).first().click();
            else await page.getByRole("button", { name: "Next failing case" }).click();
            assert.deepEqual(await violations(page, look), []);
          }
        },
        options,
      ));

    test(`with similar programs in ${look}`, () =>
      lookingAt(
        browser,
        sampleFile("similar"),
        async (page) => {
          await page.locator(".similar-pair summary").first().click();
          await page.locator(".one-source").first().waitFor();
          assert.deepEqual(await violations(page, look), []);
        },
        options,
      ));

    test(`with the details of an interaction in ${look}`, () =>
      lookingAt(
        browser,
        sampleFile("grading"),
        async (page) => {
          await page.locator(".submissions tbody").filter({ hasText: "slow.cpp" }).getByRole("button").click();
          assert.deepEqual(await violations(page, look), []);
        },
        options,
      ));

    test(`with all details unfolded in ${look}`, () =>
      lookingAt(
        browser,
        sampleFile("strength"),
        async (page) => {
          await page.locator("details").evaluateAll((all) =>
            all.forEach((one) => {
              one.open = true;
            }),
          );
          assert.deepEqual(await violations(page, look), []);
        },
        options,
      ));
  }
});
