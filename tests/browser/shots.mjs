// Takes screenshots of the reports, for people to look at: light, dark and phone.

import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";

import { LOOKS, open, realReports, sampleFile, start } from "./browser.mjs";

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const browser = await start();

const openFirst = (page) => page.locator(".submissions").getByRole("button", { name: "sample/2" }).first().click();
const dialogOf = async (page) => {
  await openFirst(page);
  for (const film of await page.locator(".film").all()) await film.getByRole("button", { name: "next move" }).click();
};
const SCENES = [
  ["grading", "all", async () => {}],
  ["grading", "details", dialogOf],
  [
    "grading",
    "details-below",
    async (page) => {
      await dialogOf(page);
      await page.locator("#details").evaluate((dialog) => dialog.scrollTo(0, 700));
    },
  ],
  [
    "grading",
    "several-boards",
    async (page) => {
      await openFirst(page);
      await page.getByRole("button", { name: "Next failing case" }).click();
      for (const film of await page.locator(".film").all())
        await film.getByRole("button", { name: "next move" }).click();
    },
  ],
  ["large", "top", async () => {}],
  [
    "large",
    "matrix",
    async (page) => {
      await page.locator("#matrix").scrollIntoViewIfNeeded();
      await page.locator("#matrix").evaluate((one) => one.scrollIntoView());
      await page.locator("#matrix .grid-cell").nth(130).focus();
    },
  ],
  ["hostile", "details", (page) => page.locator("#matrix .grid-cell").first().click()],
  ["hostile", "all", async () => {}],
  ["hunting", "all", async () => {}],
  ["strength", "all", async () => {}],
  ["similar", "all", (page) => page.locator(".similar-pair summary").first().click()],
  ["verification", "all", async () => {}],
  ["crosschecking", "all", async () => {}],
  ["generation", "all", async () => {}],
  ["cut", "top", async () => {}],
];

for (const [look, options] of LOOKS) {
  for (const [name, scene, act] of SCENES)
    await shoot(sampleFile(name), `${name}-${scene}-${look}`, scene, act, options);
  for (const file of realReports())
    await shoot(file, `real-${basename(file, ".html")}-${look}`, "all", async () => {}, options);
}
await browser.close();

async function shoot(file, name, scene, act, options) {
  const page = await open(browser, file, options);
  await act(page);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: scene === "all" });
  await page.context().close();
}
