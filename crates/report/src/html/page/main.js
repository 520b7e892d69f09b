// Puts the page together. Parts of which the report has nothing are not there.

/** Each adds its part if there is anything in it; one that takes long says so by `true`. */
const PARTS = [
  addSummary,
  addHunts,
  addSubmissions,
  addMatrix,
  addMargins,
  addVerified,
  addStrength,
  addKillMatrix,
  addSurvivors,
  addCaseWorth,
  addCrosschecks,
  addGenerated,
];

async function showReport() {
  const report = readReport(document.getElementById("report").textContent);
  const main = document.getElementById("content");
  document.getElementById("reading").remove();
  main.setAttribute("aria-busy", "true");
  for (const addPart of PARTS) {
    if (addPart(report, main)) await breath();
  }
  addContents(main);
  main.removeAttribute("aria-busy");
  followAddress(report);
  addEventListener("hashchange", () => followAddress(report));
}

/** Lets the browser show what there is so far, and heed who reads it. */
function breath() {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** The list of the parts that there are. */
function addContents(main) {
  const parts = Array.from(main.querySelectorAll(":scope > section"));
  const list = document.getElementById("contents");
  list.hidden = parts.length < 2;
  list.append(
    make(
      "ul",
      {},
      parts.map((part) => make("li", {}, make("a", { href: `#${part.id}` }, part.querySelector("h2").textContent))),
    ),
  );
}

showReport();
