// axe, let into a page whose policy lets in no script: what the browser evaluates for a test is not asked.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is wrong, in a line each. In the dark only colours are others than in the light. */
export async function violations(page, look = "light") {
  await page.evaluate(AXE);
  const rules = look === "dark" ? { runOnly: { type: "rule", values: ["color-contrast"] } } : {};
  const found = await page.evaluate(
    (only) => globalThis.axe.run(document, { resultTypes: ["violations"], ...only }),
    rules,
  );
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 4).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  );
}
