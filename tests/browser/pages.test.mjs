// Tests the pages to hand out in Chromium: pages that a real run has written, also about hostile programs.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { violations } from "./axe.mjs";
import { lookingAt, start } from "./browser.mjs";

const folder = process.env.PAGES;
const names = folder ? readdirSync(folder).sort() : [];

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

describe("a page to hand out", { skip: !folder && "the environment variable PAGES names no folder with pages" }, () => {
  test("exists for each program", () => assert.ok(names.length >= 7, names.join(" ")));

  for (const name of names) {
    test(`${name} fits into every window, runs nothing, and axe finds nothing wrong`, async () => {
      for (const width of [1280, 800, 380]) {
        for (const colorScheme of ["light", "dark"]) {
          const look = async (page) => {
            assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
            assert.equal(await page.locator("script, img, iframe, object, embed, link, [onerror]").count(), 0);
            assert.deepEqual(await violations(page, colorScheme), []);
          };
          await lookingAt(browser, join(folder, name), look, { viewport: { width, height: 900 }, colorScheme });
        }
      }
    });
  }

  test("marks the line of a crash, and a link leads to it", () =>
    lookingAt(browser, join(folder, "crash.py.html"), async (page) => {
      await page.getByRole("link", { name: "line 3" }).first().click();
      assert.equal(await page.locator("#failed-here code").textContent(), "print([][n])");
      assert.ok(await page.locator("#failed-here").isVisible());
    }));

  test("shows the source beside the failure, and below it on a phone", async () => {
    const tops = async (page) => {
      const boxes = await page.locator(".columns > section").evaluateAll((all) =>
        all.map((one) => {
          const { left, top } = one.getBoundingClientRect();
          return { left, top };
        }),
      );
      return boxes;
    };
    await lookingAt(browser, join(folder, "crash.py.html"), async (page) => {
      const [failure, source] = await tops(page);
      assert.ok(failure.top === source.top && failure.left < source.left);
    });
    const phone = { viewport: { width: 380, height: 740 }, isMobile: true, hasTouch: true };
    await lookingAt(
      browser,
      join(folder, "crash.py.html"),
      async (page) => {
        const [failure, source] = await tops(page);
        assert.ok(failure.top < source.top && failure.left === source.left);
      },
      phone,
    );
  });

  test("is whole on paper", () =>
    lookingAt(
      browser,
      join(folder, "long.cpp.html"),
      async (page) => {
        await page.emulateMedia({ media: "print" });
        assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= 794));
        const wide = await page
          .locator("pre, .code")
          .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
        assert.equal(wide, 0);
      },
      { viewport: { width: 794, height: 1123 } },
    ));
});
