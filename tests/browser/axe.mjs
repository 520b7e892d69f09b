// Runs axe in a page. The page's content policy forbids scripts, but does not apply to code that a test evaluates.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns a line for each violation. The dark look differs only in its colours, so only the contrast is checked. */
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
