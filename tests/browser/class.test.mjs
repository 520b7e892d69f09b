// Tests the report on a class in Chromium, at the widths of a desktop, a tablet and a phone.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { violations } from "./axe.mjs";
import { LOOKS, lookingAt, sampleFile, start, tableNames } from "./browser.mjs";
import { CLASS_FOLDER } from "./class_sample.mjs";

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

const look = (inspect, options, name = "class") => lookingAt(browser, sampleFile(name), inspect, options);
const WIDTHS = [1280, 800, 380];
const sized = (width, colorScheme = "light") => ({ viewport: { width, height: 900 }, colorScheme });

/** Returns the tables and other boxes with rows that scroll inside themselves, in either direction. */
const scrollingTables = (page) =>
  page.locator("main").evaluate((main) =>
    Array.from(main.querySelectorAll("*"))
      .filter((box) => box.querySelector("table, [role=list]") && getComputedStyle(box).overflow !== "visible")
      .filter((box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
      .map(
        (box) => `${box.className} ${box.scrollWidth}x${box.scrollHeight} in ${box.clientWidth}x${box.clientHeight}`,
      ),
  );

/** Returns the elements that stand out of the window to the right, without those that a box cuts off or scrolls. */
const standingOut = (page) =>
  page.locator("main, nav").evaluateAll((roots) =>
    roots
      .flatMap((root) => Array.from(root.querySelectorAll("*")))
      .filter(
        (one) => one.getBoundingClientRect().right > innerWidth + 1 && one.closest(".grid-scroll, .unseen") === null,
      )
      .map((one) => `${one.localName}.${one.className}`),
  );

/** The color schemes of the looks under test. */
const SCHEMES = [...new Set(LOOKS.map(([, options]) => options.colorScheme ?? "light"))];

for (const width of WIDTHS) {
  for (const scheme of SCHEMES) {
    for (const name of ["class", "class-of-moodle"]) {
      test(`${name} fits into ${width} pixels, scrolls in no box, and axe finds nothing wrong, ${scheme}`, () =>
        look(
          async (page) => {
            assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
            assert.deepEqual(await standingOut(page), []);
            assert.deepEqual(await scrollingTables(page), []);
            assert.deepEqual(await violations(page, scheme), []);
          },
          sized(width, scheme),
          name,
        ));
    }
  }

  test(`a compiler's line of 2,000 characters stays in its frame at ${width} pixels`, () =>
    look(async (page) => {
      const frame = page.locator(".submissions .theirs pre").first();
      assert.match(await frame.textContent(), /template_argument/);
      const [wide, seen] = await frame.evaluate((one) => [one.scrollWidth, one.clientWidth]);
      assert.ok(wide <= seen, `${wide} pixels in ${seen}`);
    }, sized(width)));
}

describe("the summary of a class", () => {
  test("counts as the terminal does", () =>
    look(async (page) => {
      const summary = await page.locator("#summary").textContent();
      assert.match(summary, /34 found, 31 judged/);
      assert.match(summary, /Test cases100/);
      const counts = await page.locator(".verdict-counts li").allTextContents();
      assert.deepEqual(
        counts.map((one) => one.replace(/\s+/g, " ")),
        [
          "AC accepted 8",
          "WA wrong answer 4",
          "RTE run-time error 7",
          "CE compile error 3",
          "TLE time limit exceeded 3",
          "MLE memory limit exceeded 3",
          "OLE output limit exceeded 3",
          "not judged 3",
        ],
      );
    }));

  test("has no warning below a green outcome", async () => {
    for (const name of ["grading", "class", "part-judged", "verification", "warned"]) {
      await look(
        async (page) => {
          const isGreen = (await page.locator("#outcome.good").count()) > 0;
          const warnings = await page.locator("#summary").locator(".remark.odd, .remark.bad, .notice").count();
          assert.ok(!isGreen || warnings === 0, name);
        },
        {},
        name,
      );
    }
    await look(
      async (page) => {
        assert.match(await page.locator("#outcome.odd").textContent(), /! ?All as expected, with 1 warning/);
        assert.match(await page.locator("#summary .remark.odd").textContent(), /provisional/);
      },
      {},
      "warned",
    );
  });
});

describe("the table of a class", () => {
  test("shows cases passed, the first failing case, and why a submission was not judged", () =>
    look(async (page) => {
      const row = (name) => page.locator(".submissions tbody").filter({ hasText: name });
      assert.match(await row("Student 13").textContent(), /WA1 of 10098 not runsample\/2/);
      assert.match(await row("Student 19").textContent(), /CE0 of 100/, "as the terminal counts");
      assert.match(await row("Student 20").textContent(), /not judged.*Not judged: main\.pdf: neither a source/);
    }));

  test("shows names without the folders that they share, and these once", () =>
    look(async (page) => {
      const names = await tableNames(page);
      assert.equal(names.length, 34);
      assert.ok(names.includes("Ada Lovelace/main.py") && !names.some((name) => name.includes(CLASS_FOLDER)));
      assert.equal(await page.getByText(`All names begin with ${CLASS_FOLDER}`).count(), 1);
    }, sized(380)));

  test("shows students, their points, late work and attempts, and is sorted by points", () =>
    look(
      async (page) => {
        assert.ok((await tableNames(page)).includes("Jörg Müller-Lüdenscheidt"));
        const row = (name) => page.locator(".submissions tbody").filter({ hasText: name });
        assert.match(await row("Ada Lovelace").textContent(), /AC100100 of 100.*late, attempt 2 of 3/);
        await page.getByRole("button", { name: "Points" }).click();
        assert.equal((await tableNames(page))[0], "<img src=x onerror=\"alert('image')\">", "it did not compile");
        await page.getByRole("button", { name: "Points" }).click();
        assert.equal((await tableNames(page))[0], "Ada Lovelace");
      },
      {},
      "class-of-moodle",
    ));

  test("stays sorted by the keyboard, and its head stays below the parts of the page", () =>
    look(async (page) => {
      const heading = page.getByRole("button", { name: "Cases passed" });
      await heading.focus();
      await page.keyboard.press("Enter");
      assert.equal(await page.locator("th[aria-sort=ascending]").textContent(), "Cases passed");
      await page.locator(".submissions tbody").nth(20).scrollIntoViewIfNeeded();
      await page.evaluate(() => scrollBy(0, 300));
      const isSeen = await heading.evaluate((one) => {
        const box = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(box.x + 5, box.y + box.height / 2));
      });
      assert.ok(isSeen, "the list of parts does not cover the head of the table");
    }));
});

describe("on a phone", () => {
  const phone = { viewport: { width: 380, height: 740 }, isMobile: true, hasTouch: true };

  test("the list of the page's parts is whole", () =>
    look(async (page) => {
      const links = page.locator("#contents a");
      assert.equal(await links.count(), 4);
      for (const link of await links.all()) {
        const { x, width } = await link.boundingBox();
        assert.ok(x >= 0 && x + width <= 380);
      }
    }, phone));

  test("everything that can be touched is high enough for a finger", () =>
    look(async (page) => {
      const low = await page
        .locator("button:visible, summary:visible, #contents a, select:visible, input:visible")
        .evaluateAll((all) =>
          all
            .map((one) => (one.type === "checkbox" ? one.parentElement : one))
            .filter((one) => one.getBoundingClientRect().height < 32)
            .map((one) => one.outerHTML.slice(0, 100)),
        );
      assert.deepEqual(low, []);
    }, phone));

  test("a touch on the first failing case opens its details, which fit", () =>
    look(async (page) => {
      await page.locator(".submissions button.link").first().tap();
      await page.getByRole("dialog").waitFor();
      assert.ok(await page.locator("#details").evaluate((one) => one.scrollWidth <= one.clientWidth));
    }, phone));
});

test("the matrix of a class has its whole height, and the arrow keys scroll the page", () =>
  look(async (page) => {
    await page.locator("#matrix .grid-cell[tabindex='0']").focus();
    for (let step = 0; step < 33; step += 1) await page.keyboard.press("ArrowDown");
    const [top, bottom] = await page.evaluate(() => {
      const box = document.activeElement.getBoundingClientRect();
      return [box.top, innerHeight - box.bottom];
    });
    assert.ok(top > 0 && bottom > 0, `${top} ${bottom}`);
    const scroller = page.locator("#matrix .grid-scroll");
    assert.ok(await scroller.evaluate((one) => one.scrollHeight <= one.clientHeight + 1));
  }));

describe("on paper", () => {
  test("the table is as wide as the paper, and texts are whole", () =>
    look(async (page) => {
      await page.emulateMedia({ media: "print" });
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      const table = await page.locator(".submissions").boundingBox();
      assert.ok(table.x + table.width <= 794, "A4");
      const [whole, seen] = await page
        .locator(".submissions .theirs pre")
        .first()
        .evaluate((one) => [one.scrollHeight, one.clientHeight]);
      assert.ok(whole <= seen + 1);
    }, sized(794)));
});

test("after a crash, the reason and the standard error come before the input", () =>
  look(async (page) => {
    const row = page.locator(".submissions tbody").filter({ hasText: "Student 14" });
    await row.getByRole("button", { name: "secret/006" }).click();
    const text = await page.getByRole("dialog").textContent();
    const places = ["exit code 1", "IndexError: list index", "standard error of the program", "inputbb"].map((part) =>
      text.replace(/\s+bytes?/g, "").indexOf(part),
    );
    assert.ok(places[0] >= 0 && places[1] > places[0] && places[2] > places[1], String(places));
    assert.ok(text.indexOf("standard error of the program") < text.indexOf("the program wrote"));
  }));

test("the message of a compiler begins with its first error, and the lines before it unfold", () =>
  look(async (page) => {
    const row = page.locator(".submissions tbody").filter({ hasText: "Student 19" });
    assert.match(await row.locator("pre").first().textContent(), /^main\.cpp: In function/);
    await row.getByText("2 lines before the first error").click();
    assert.match(await row.locator("pre").nth(1).textContent(), /warning: unused variable/);
    assert.ok(await row.locator("pre").nth(1).isVisible());
  }));
