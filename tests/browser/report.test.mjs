// Tests the behaviour of the reports in Chromium.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { focusedCell, lookingAt, matrixNames, matrixStatus, sampleFile, start, tableNames } from "./browser.mjs";
import { HOSTILE } from "./lines.mjs";
import { SAMPLES } from "./samples.mjs";

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

const look = (name, inspect, options) => lookingAt(browser, sampleFile(name), inspect, options);

describe("a report of any kind", () => {
  for (const name of SAMPLES.keys()) {
    test(`${name} opens with no request, no message, no error, and no part is empty`, () =>
      look(name, async (page) => {
        const parts = await page
          .locator("main > section")
          .evaluateAll((all) => all.map((one) => [one.id, one.children.length]));
        assert.ok(parts.length > 0);
        for (const [id, children] of parts) assert.ok(children > 1, id);
        const ids = await page.locator("[id]").evaluateAll((all) => all.map((one) => one.id));
        assert.equal(new Set(ids).size, ids.length, "ids are unique");
      }));

    test(`${name} fits on a phone without scrolling sideways`, () =>
      look(
        name,
        async (page) => {
          assert.ok((await page.evaluate(() => document.scrollingElement.scrollWidth)) <= 360);
        },
        { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
      ));
  }
});

describe("the summary", () => {
  test("says that not all is as expected, which parts of the sandbox are missing, and what the report leaves out", () =>
    look("grading", async (page) => {
      assert.match(await page.locator("#outcome").textContent(), /✗.*Not all as expected/);
      assert.match(await page.locator("#summary").textContent(), /memory, network.*the program can use the network/s);
      assert.match(await page.locator("#left-out").textContent(), /the outputs of 120 more cases/);
    }));

  test("says that one submission was not judged and all others are as expected", () =>
    look("part-judged", async (page) => {
      assert.match(await page.locator("#outcome").textContent(), /!.*Not all judged, the judged ones as expected/);
      assert.match(await page.locator("#summary").textContent(), /2 found, 1 judged/);
    }));

  test("says that a cut report is incomplete", () =>
    look("cut", async (page) => {
      assert.match(await page.locator("#outcome").textContent(), /Not finished/);
      assert.match(await page.locator("#left-out").textContent(), /1 line of this report could not be read/);
      assert.ok((await tableNames(page)).length > 0);
    }));
});

describe("filters", () => {
  test("by name, verdict and expectation select the rows of the table and the matrix, and show their number", () =>
    look("grading", async (page) => {
      assert.equal((await tableNames(page)).length, 8);
      await page.getByLabel("Submission", { exact: true }).fill("WHITE");
      assert.deepEqual(await tableNames(page), ["wrong_answer/white_only.py"]);
      assert.deepEqual(await matrixNames(page), ["wrong_answer/white_only.py"]);
      assert.equal(await page.locator("#submission-count").textContent(), "1 of 8 submissions");
      await page.getByLabel("Submission", { exact: true }).fill("");
      const chip = page.locator("[data-standing=TLE]");
      await chip.click();
      await page.locator("[data-standing=CE]").click();
      assert.deepEqual((await tableNames(page)).sort(), ["broken.c", "slow.cpp"]);
      assert.equal(await chip.getAttribute("aria-pressed"), "true");
      await chip.click();
      assert.deepEqual(await tableNames(page), ["broken.c"]);
      await page.locator("[data-standing=CE]").click();
      await page.getByLabel("only submissions not as expected").check();
      assert.ok(!(await tableNames(page)).includes("wrong_answer/white_only.py"), "it is as it was declared");
      assert.ok((await tableNames(page)).includes("slow.cpp"));
    }));

  test("show a message if no row passes", () =>
    look("grading", async (page) => {
      await page.getByLabel("Submission", { exact: true }).fill("no such name");
      await page.getByText("No submission passes the filters.").waitFor();
      await page.getByText("No submission and test case passes the filters.").waitFor();
    }));

  test("of test cases select the columns of the matrix", () =>
    look("grading", async (page) => {
      const columns = () => page.locator("#matrix .grid-column .name").allTextContents();
      assert.equal((await columns()).length, 6);
      await page.getByLabel("Test case", { exact: true }).fill("group1");
      assert.deepEqual(await columns(), ["secret/group1/10", "secret/group1/9"]);
      await page.getByLabel("Test case", { exact: true }).fill("");
      await page.getByLabel("only cases that a submission fails").check();
      assert.ok(!(await columns()).includes("secret/group1/10"));
    }));
});

describe("sorting", () => {
  test("a heading sorts the table by its column, a second press reverses the order, and unknown values come last", () =>
    look("grading", async (page) => {
      const heading = page.getByRole("button", { name: "Slowest, CPU" });
      await heading.click();
      assert.equal(await page.locator("th[aria-sort=ascending]").count(), 1);
      const up = await tableNames(page);
      await heading.click();
      assert.equal(await page.locator("th[aria-sort=descending]").count(), 1);
      const down = await tableNames(page);
      assert.equal(down[0], "slow.cpp");
      assert.equal(up.indexOf("slow.cpp"), 5);
      assert.deepEqual(up.slice(-2).sort(), down.slice(-2).sort());
    }));

  test("the details below a row move with it", () =>
    look("grading", async (page) => {
      await page.getByRole("button", { name: "Submission", exact: true }).click();
      const body = page.locator(".submissions tbody").filter({ hasText: "broken.c" }).first();
      assert.match(await body.textContent(), /expected ';'/);
    }));

  test("the matrix is sorted by name with numbers in numeric order, or by the number of failures", () =>
    look("grading", async (page) => {
      const columns = () => page.locator("#matrix .grid-column .name").allTextContents();
      await page.locator("#column-order").selectOption("name");
      assert.deepEqual((await columns()).slice(2), [
        "secret/01-zero",
        "secret/02-all-black",
        "secret/group1/9",
        "secret/group1/10",
      ]);
      await page.locator("#row-order").selectOption("failed");
      assert.equal((await matrixNames(page))[0], "crash.rs");
      await page.locator("#row-order").selectOption("time");
      assert.equal((await matrixNames(page))[0], "slow.cpp");
    }));
});

describe("the matrix by keyboard", () => {
  test("arrows, Home, End and the page keys move the focus, and the status line names the cell", () =>
    look("large", async (page) => {
      await page.locator("#matrix .grid-cell[tabindex='0']").focus();
      assert.deepEqual(await focusedCell(page), [1, 1]);
      for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp"])
        await page.keyboard.press(key);
      assert.deepEqual(await focusedCell(page), [1, 2]);
      assert.match(await matrixStatus(page), /^team-001\.cpp on secret\/0002-case: /);
      await page.keyboard.press("End");
      assert.deepEqual(await focusedCell(page), [1, 200]);
      await page.keyboard.press("PageDown");
      const [row] = await focusedCell(page);
      assert.ok(row > 5 && row < 60, String(row));
      await page.keyboard.press("Control+End");
      assert.deepEqual(await focusedCell(page), [200, 200]);
      assert.match(await matrixStatus(page), /^team-200\.cpp on secret\/0200-case: /);
      await page.keyboard.press("Control+Home");
      assert.deepEqual(await focusedCell(page), [1, 1]);
    }));

  test("the Tab key reaches exactly one cell, and the names never cover it", () =>
    look("large", async (page) => {
      assert.equal(await page.locator("#matrix .grid-cell[tabindex='0']").count(), 1);
      await page.locator("#matrix .grid-cell[tabindex='0']").focus();
      await page.keyboard.press("Control+End");
      for (let step = 0; step < 40; step += 1) await page.keyboard.press(step % 2 === 0 ? "ArrowLeft" : "ArrowUp");
      const isSeen = await page.evaluate(() => {
        const box = document.activeElement.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === document.activeElement;
      });
      assert.ok(isSeen);
    }));

  test("the focus stays while the matrix is scrolled far away with the mouse", () =>
    look("large", async (page) => {
      await page.locator("#matrix .grid-cell[tabindex='0']").focus();
      await page.locator("#matrix .grid-scroll").evaluate((box) => box.scrollTo(4000, 3000));
      await page.locator("#matrix .grid-row[aria-rowindex='140']").waitFor({ state: "attached" });
      assert.deepEqual(await focusedCell(page), [1, 1]);
    }));

  test("Enter opens a result, Escape closes it, and the focus is back where it was", () =>
    look("grading", async (page) => {
      await page.locator("#matrix .grid-cell[tabindex='0']").focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      assert.match(await dialog.textContent(), /WA.*sample\/2.*All black is nearer/s);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      assert.deepEqual(await focusedCell(page), [2, 2]);
    }));
});

describe("on paper", () => {
  const print = async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  };

  test("a printed matrix is complete, wherever it was scrolled to", () =>
    look("narrow", async (page) => {
      await page.locator("#matrix .grid-scroll").evaluate((scroller) => scroller.scrollTo(0, 1e6));
      await print(page);
      assert.equal(await page.locator("#matrix .grid-cell").count(), 150 * 20);
      await page.emulateMedia({ media: "screen" });
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      assert.ok((await page.locator("#matrix .grid-cell").count()) < 150 * 20);
    }));

  test("a matrix that is too large for paper is replaced by a message instead of being cut", () =>
    look("large", async (page) => {
      assert.equal(await page.locator("#matrix .only-paper").isVisible(), false);
      await print(page);
      assert.equal(await page.locator("#matrix .grid-scroll").isVisible(), false);
      assert.match(await page.locator("#matrix .only-paper").textContent(), /200 by 200 cells are too many/);
    }));
});

describe("the details", () => {
  const openWrong = (page) => page.locator(".submissions").getByRole("button", { name: "sample/2" }).first().click();

  test("show message, times, input, expected, output, difference and standard error", () =>
    look("grading", async (page) => {
      await openWrong(page);
      const text = await page.getByRole("dialog").textContent();
      for (const part of [
        "The judge says",
        "CPU time",
        "0.012 s of 2 s",
        "6.0 MiB",
        "the program wrote",
        "expected (the package's answer)",
        "input",
        "standard error of the program",
        "Traceback: nothing",
      ])
        assert.ok(text.includes(part), part);
      assert.deepEqual(await page.locator(".diff tr.expected mark").allTextContents(), ["3"]);
      assert.deepEqual(await page.locator(".diff tr.written mark").allTextContents(), ["··7→"]);
    }));

  test("step to the next failing case and back, and return the focus to the button that opened them", () =>
    look("grading", async (page) => {
      await openWrong(page);
      await page.getByRole("button", { name: "Next failing case" }).click();
      assert.match(await page.locator("#details-title").textContent(), /02-all-black/);
      assert.ok(await page.getByRole("button", { name: "Next failing case" }).isDisabled());
      assert.match(await page.getByRole("dialog").textContent(), /failing case 2 of 2/);
      await page.getByRole("button", { name: "Previous failing case" }).click();
      assert.match(await page.locator("#details-title").textContent(), /sample\/2/);
      await page.getByRole("button", { name: "Close" }).click();
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "sample/2");
    }));

  test("have a URL that opens them, even with unusual names", () =>
    look("hostile", async (page) => {
      await page
        .locator("#matrix .grid-cell")
        .nth(7 * 8 + 4)
        .click();
      const title = await page.locator("#details-title").textContent();
      const address = await page.evaluate(() => location.hash);
      await page.keyboard.press("Escape");
      await page.waitForURL((url) => url.hash === "");
      await page.evaluate((hash) => {
        location.hash = hash;
      }, address);
      await page.getByRole("dialog").waitFor();
      assert.equal(await page.locator("#details-title").textContent(), title);
    }));

  test("show the sender, the text and the time of each message of an interaction", () =>
    look("grading", async (page) => {
      await page.locator(".submissions tbody").filter({ hasText: "slow.cpp" }).getByRole("button").click();
      const turns = await page.locator(".talk li").allTextContents();
      assert.equal(turns.length, 4);
      await page.getByText("3 earlier messages left out").waitFor();
      assert.match(turns[0], /validator at 0\.002 s.*guess a number/);
      assert.match(turns[3], /submission.*Verdict: AC.*900 bytes in all/s);
    }));

  test("show that a time is close to the limit, and all measured times", () =>
    look("grading", async (page) => {
      await page.locator(".submissions tbody").filter({ hasText: "slow.cpp" }).getByRole("button").click();
      const text = await page.getByRole("dialog").textContent();
      assert.match(text, /close to the limit; the shortest of 2 times: 2\.45\d* s, 2\.4\d* s/);
    }));

  test("of an accepted result play the right answer", () =>
    look("grading", async (page) => {
      await page.locator("#matrix .grid-cell").first().click();
      await page.getByText("A report does not contain the output of accepted runs.").waitFor();
      assert.equal(await page.locator(".film").count(), 1);
    }));
});

describe("boards", () => {
  const letters = (film) => film.locator(".picture svg").getAttribute("aria-label");

  test("step forward and back, separately for the expected moves and for the program's moves", () =>
    look("grading", async (page) => {
      await page.locator(".submissions").getByRole("button", { name: "sample/2" }).first().click();
      const [expected, actual] = [page.locator(".film").nth(0), page.locator(".film").nth(1)];
      assert.match(await letters(expected), /^start: rows bbwb, bwww, bwww, wwbw$/);
      await expected.getByRole("button", { name: "next move" }).click();
      assert.match(await letters(expected), /rows wwwb, wwww, bwww, wwbw; marked: row 1 column 1/);
      assert.match(await expected.locator(".step").textContent(), /move 1 of 3/);
      assert.match(await letters(actual), /^start/);
      await expected.getByRole("button", { name: "previous move" }).click();
      assert.match(await letters(expected), /^start/);
      await actual.getByRole("button", { name: "last move" }).click();
      assert.match(await actual.locator(".step").textContent(), /move 5 of 5/);
      assert.match(await actual.textContent(), /End: not all fields have one colour/);
      assert.match(await page.locator(".wrong").textContent(), /5 rounds, 3 are enough/);
    }));

  test("step with the arrow keys, on the slider and on the buttons", () =>
    look("grading", async (page) => {
      await page.locator(".submissions").getByRole("button", { name: "sample/2" }).first().click();
      const film = page.locator(".film").nth(1);
      await film.getByRole("slider").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      assert.match(await film.locator(".step").textContent(), /move 2 of 5/);
      assert.match(await film.getByRole("slider").getAttribute("aria-valuetext"), /move 2 of 5: flip row 2, column 2/);
      await film.getByRole("button", { name: "previous move" }).focus();
      await page.keyboard.press("ArrowLeft");
      assert.match(await film.locator(".step").textContent(), /move 1 of 5/);
      await page.keyboard.press("End");
      assert.match(await film.locator(".step").textContent(), /move 5 of 5/);
    }));

  test("of a case with several boards have names, and show the goal if there is one", () =>
    look("grading", async (page) => {
      await page.locator(".submissions").getByRole("button", { name: "sample/2" }).first().click();
      await page.getByRole("button", { name: "Next failing case" }).click();
      assert.deepEqual(await page.locator(".scenes summary").allTextContents(), ["board 1", "board 2 ✗ wrong here"]);
      assert.equal(await page.locator(".goal svg").count(), 2);
      assert.equal(
        await page
          .locator(".film")
          .nth(2)
          .locator("text")
          .allTextContents()
          .then((all) => all.join("")),
        "BABAA",
      );
    }));

  test("of the input that a hunt found are on the page", () =>
    look("hunting", async (page) => {
      assert.equal(await page.locator("#submissions").count(), 0, "it was not judged");
      assert.equal(await page.locator("#hunt .film").count(), 2);
      assert.match(
        await page.locator("#hunt").textContent(),
        /white_only\.py.*WA.*wrong answer.*20 bytes, shrunk from 40 bytes; no slightly smaller input fails in the same way/s,
      );
      assert.doesNotMatch(await page.locator("#hunt").textContent(), /unknown whether this input is legal/);
    }));
});

describe("hostile text", () => {
  test("in names and texts is shown as text, and no script runs", () =>
    look("hostile", async (page) => {
      const all = await page
        .locator("body")
        .evaluate((body) =>
          Array.from(body.querySelectorAll(":scope > :not(script)"), (one) => one.innerText).join("\n"),
        );
      assert.ok(all.includes(HOSTILE.script) && all.includes("<img src=x onerror="));
      assert.ok(all.includes("abc\\u{202e}desrever\\u{202c}\\u{2066}x\\u{2069}"), "directions are shown");
      assert.ok(!/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u0007]/u.test(all), "none of them is left");
      assert.equal(await page.locator("img, iframe, object, embed, link, main script, dialog script").count(), 0);
      for (const name of ["__proto__", "constructor", "toString"])
        assert.ok((await tableNames(page)).includes(name), name);
    }));

  test("of a submission is in a frame that names the submission as its source", () =>
    look("hostile", async (page) => {
      await page.locator("#matrix .grid-cell").first().click();
      const frame = page.locator("#details .theirs").filter({ hasText: "the program wrote" }).last();
      assert.match(await frame.textContent(), /Verdict: AC/);
      const frames = await page
        .locator("#details .theirs")
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).borderTopStyle));
      assert.ok(frames.length >= 5 && frames.every((style) => style === "dashed"));
    }));

  test("cannot leave its box", () =>
    look("hostile", async (page) => {
      await page.locator("#matrix .grid-cell").first().click();
      const wide = await page.locator("#details").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
    }));
});

describe("large reports", () => {
  for (const name of ["large", "wide", "strength-large"]) {
    test(`${name} keeps the page small, and shows the far end when scrolled to it`, () =>
      look(name, async (page) => {
        const count = await page.locator("*").count();
        assert.ok(count < 30000, `${count} elements`);
        const box = page.locator(".grid-scroll").first();
        await box.evaluate((element) => element.scrollTo(element.scrollWidth, element.scrollHeight));
        const [rows, columns] = await box.evaluate((element) => [element.ariaRowCount, element.ariaColCount]);
        await page.locator(`.grid-row[aria-rowindex='${rows}']`).waitFor({ state: "attached" });
        await page.locator(`.grid-column[aria-colindex='${columns}']`).waitFor({ state: "attached" });
      }));
  }
});

describe("other commands", () => {
  test("verify shows findings by severity, checks, and margins", () =>
    look("verification", async (page) => {
      const tags = await page.locator(".finding .tag").allTextContents();
      assert.deepEqual(tags, ["✗ error", "! warning", "· note"]);
      await page.locator(".chip").filter({ hasText: "note" }).click();
      assert.equal(await page.locator(".finding:visible").count(), 2);
      assert.equal(await page.locator(".margin-mark").count(), 5);
      const label = await page.locator(".plot-row > svg").nth(3).getAttribute("aria-label");
      assert.match(label, /slow\.cpp: more than 3\.000 s on secret\/01, 1\/1\.50, must exceed the limit, margin kept/);
      await page.getByText("This package was not verified to the end.").waitFor();
    }));

  test("strength shows holes, survivors and the kill matrix", () =>
    look("strength", async (page) => {
      assert.match(await page.locator("#strength .outcome").textContent(), /An accepted submission is wrong/);
      assert.match(await page.locator("#mutant-14").textContent(), /a hole/, "the second line of a survivor counts");
      assert.match(await page.locator("#mutant-7").textContent(), /if \(a < b - 1\) a = b;.*the mutant wrote/s);
      assert.match(
        await page.locator("#mutant-7").textContent(),
        /It is unknown whether this input is legal: the package has no input validator, so no program checked it\./,
      );
      assert.equal(await page.locator("#mutant-7 .film").count(), 2);
      await page.locator("#kills .grid-cell[tabindex='0']").focus();
      assert.match(
        await page.locator("#kills .grid-status").textContent(),
        /^#1 accepted\/a\.c:7:14 \(off-by-one, killed\): .*kill/,
      );
      await page.getByLabel("only mutants that are not killed").check();
      assert.equal(await page.locator("#kills .grid-cell.kill").count(), 0);
    }));

  test("a mutant of the kill matrix opens, and Escape returns the focus", () =>
    look("strength", async (page) => {
      await page.locator("#kills .grid-cell.kill").first().click();
      await page.getByRole("dialog").waitFor();
      assert.match(await page.getByRole("dialog").textContent(), /First killed by/);
      await page.keyboard.press("Escape");
      assert.notEqual(await focusedCell(page), null);
    }));

  test("similar programs open to both sources with the shared parts marked", () =>
    look("similar", async (page) => {
      const part = page.locator("#similar");
      assert.match(await part.textContent(), /2 pairs of 3 programs with a similarity of at least 60 %/);
      assert.equal(await part.locator(".similar-pair").count(), 2, "a pair below the threshold is not shown");
      const [first, second] = await part.locator(".similar-pair").all();
      assert.match(await first.textContent(), /100 % of the first, 83 % of the second, 12 lines/);
      await first.locator("summary").click();
      await first.locator(".one-source").nth(1).waitFor();
      const marked = (column) =>
        first.locator(".one-source").nth(column).locator("tr.shared .number").allTextContents();
      const ten = Array.from({ length: 10 }, (_, index) => String(index + 1));
      assert.deepEqual([await marked(0), await marked(1)], [ten, ten]);
      const regions = (column) =>
        first.locator(".one-source").nth(column).locator("td.region:not(:empty)").allTextContents();
      assert.deepEqual(await regions(0), ["shared part 1", "shared part 2"]);
      assert.deepEqual(await regions(1), ["shared part 2", "shared part 1"]);
      await second.locator("summary").click();
      assert.match(await second.textContent(), /The page does not have the source of .*ben/);
      assert.match(await part.textContent(), /dora\.py.*not compared, because it is a link/);
      assert.doesNotMatch(await part.textContent(), /copied|copy|plagiar|cheat/i);
    }));

  test("crosscheck and generate show their results", async () => {
    await look("crosschecking", async (page) => {
      assert.match(await page.locator("#crosscheck-1").textContent(), /All agree on 65,536 boards/);
      assert.match(await page.locator("#crosscheck-2").textContent(), /rows says 3, bfs says 4/);
    });
    await look("generation", async (page) => {
      assert.match(await page.locator("#generated").textContent(), /secret\/03.*failed.*Traceback/s);
      assert.match(await page.locator("#other-files").textContent(), /secret\/old\.ans.*to be removed/s);
    });
  });
});

test("without JavaScript the page says that it needs it", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${sampleFile("grading")}`);
  const text = await page.locator("body").evaluate((body) => body.innerText);
  assert.match(text, /JavaScript, which is switched off here/);
  assert.doesNotMatch(text, /Reading the report/);
  await context.close();
});
