// Puts the page together. A section is missing if the report has no lines for it.

/**
 * Each function adds its section if the report has something for it. It returns true if it did much work. The browser
 * then gets time to show the page so far and to react to the reader.
 * @type {((report: Model.Report, main: HTMLElement) => boolean | void)[]}
 */
const PARTS = [
  addSummary,
  addHunts,
  addSubmissions,
  addMatrix,
  addMargins,
  addSimilar,
  addVerified,
  addStrength,
  addKillMatrix,
  addSurvivors,
  addCaseWorth,
  addCrosschecks,
  addGenerated,
];

async function showReport() {
  const report = readReport(skeletonElement("report", HTMLScriptElement).textContent);
  const main = skeletonElement("content", HTMLElement);
  skeletonElement("reading", HTMLElement).remove();
  main.setAttribute("aria-busy", "true");
  for (const addPart of PARTS) {
    if (addPart(report, main)) await otherTasks();
  }
  addContents(main);
  followContentsHeight();
  main.removeAttribute("aria-busy");
  followAddress(report);
  addEventListener("hashchange", () => followAddress(report));
}

/** Waits until the browser has handled the tasks that are waiting now. */
function otherTasks() {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/**
 * Lists the sections.
 * @param {HTMLElement} main
 */
function addContents(main) {
  const parts = Array.from(main.querySelectorAll(":scope > section"));
  const list = skeletonElement("contents", HTMLElement);
  list.hidden = parts.length < 2;
  list.append(
    make(
      "ul",
      {},
      parts.map((part) => make("li", {}, make("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent))),
    ),
  );
}

/** Tells the style sheet the height of the list of sections, which stays at the top of the window. */
function followContentsHeight() {
  const list = skeletonElement("contents", HTMLElement);
  new ResizeObserver(() => {
    const stays = getComputedStyle(list).position === "sticky";
    document.documentElement.style.setProperty("--contents-height", stays ? `${list.offsetHeight}px` : "0px");
  }).observe(list);
}

showReport();
