// Makes the pictures for the README from real runs: a terminal and a report page.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { open, start } from "./browser.mjs";

const [reports, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await start();

await terminal();
await picture("report", (page) => page.locator("#matrix").evaluate((grid) => grid.closest("section").scrollIntoView()));
await picture("failure", async (page) => {
  await page.locator("#matrix .grid-cell").filter({ hasText: "WA" }).first().click();
  await page.getByRole("dialog").waitFor();
  // A board without moves has no buttons.
  for (const next of await page.locator(".film").getByRole("button", { name: "next move" }).all()) await next.click();
});
await browser.close();

async function picture(name, act) {
  const page = await open(browser, join(reports, "package.html"), { viewport: { width: 1100, height: 900 } });
  await act(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.context().close();
}

/** Makes a picture of the terminal output, with its colours. */
async function terminal() {
  const file = join(reports, "terminal.html");
  const style =
    "body{margin:0;background:#1b1f27;color:#d7dce4;display:inline-block} pre{margin:0;padding:16px;" +
    "font:14px/1.35 'DejaVu Sans Mono',monospace} .b{font-weight:bold} .d{opacity:.6} .g{color:#7fd08b}" +
    ".r{color:#ff8d84} .y{color:#f2c55c} .m{color:#d8a0e8} .i{background:currentColor} .i>i{color:#1b1f27;" +
    "font-style:normal}";
  const text = spans(readFileSync(join(reports, "terminal.txt"), "utf8").trimEnd());
  writeFileSync(
    file,
    `<meta charset="utf-8"><style>${style}</style><pre>$ referee grade flipgame white_only.py\n${text}</pre>`,
  );
  const page = await (await browser.newContext({ viewport: { width: 820, height: 400 } })).newPage();
  await page.goto(`file://${file}`);
  await page.locator("pre").screenshot({ path: join(folder, "terminal.png") });
}

/** Converts the escape sequences of colours to HTML elements. */
function spans(text) {
  const CLASSES = { 1: "b", 2: "d", 7: "i", 31: "r", 32: "g", 33: "y", 35: "m" };
  let classes = [];
  const pieces = text.split(/\u001b\[([0-9;]*)m/);
  return pieces
    .map((piece, index) => {
      if (index % 2 === 1) {
        for (const code of piece.split(";")) classes = code === "0" ? [] : [...classes, CLASSES[code] ?? ""];
        return "";
      }
      const safe = piece.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      return classes.length === 0
        ? safe
        : `<span class="${classes.join(" ")}"><i style="font-style:normal">${safe}</i></span>`;
    })
    .join("");
}
