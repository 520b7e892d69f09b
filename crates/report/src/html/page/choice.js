// Which submissions are looked at: one choice for the table and the matrix.

const choice = { text: "", standings: new Set(), onlyUnwanted: false, followers: [] };

function isChosen(submission) {
  if (choice.text !== "" && !submission.name.toLowerCase().includes(choice.text)) return false;
  if (choice.standings.size > 0 && !choice.standings.has(standing(submission))) return false;
  return !choice.onlyUnwanted || isAsWanted(submission) === false;
}

function chosenSubmissions(report) {
  return report.submissions.filter((submission) => isChosen(submission));
}

/** Calls `follower` now, and whenever something else is chosen. */
function followChoice(follower) {
  choice.followers.push(follower);
  follower();
}

function choose(change) {
  Object.assign(choice, change);
  choice.followers.forEach((follower) => follower());
}

/** The filters, and how many submissions pass them. */
function choiceBar(report) {
  const count = make("p", { class: "count", role: "status", id: "submission-count" });
  followChoice(() => {
    const chosen = chosenSubmissions(report).length;
    count.textContent = `${grouped(chosen)} of ${counted(report.submissions.length, "submission")}`;
  });
  return make(
    "div",
    { class: "filters", role: "search", "aria-label": "Filter submissions" },
    textFilter("Submission", "submission-filter", (text) => choose({ text })),
    verdictChips(report),
    tickBox("only not as expected", (onlyUnwanted) => choose({ onlyUnwanted })),
    count,
  );
}

function textFilter(label, id, changed) {
  const input = make("input", {
    type: "search",
    id,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "part of the name",
    oninput: () => changed(input.value.trim().toLowerCase()),
  });
  return make("div", { class: "field" }, make("label", { for: id }, label), input);
}

function tickBox(label, changed) {
  const input = make("input", { type: "checkbox", onchange: () => changed(input.checked) });
  return make("label", { class: "tick" }, input, label);
}

/** One button for each verdict there is; none pressed means all. */
function verdictChips(report) {
  const counts = new Map();
  for (const submission of report.submissions) {
    counts.set(standing(submission), (counts.get(standing(submission)) ?? 0) + 1);
  }
  const order = [...VERDICTS.keys(), "skipped", "unfinished"].filter((name) => counts.has(name));
  return make(
    "div",
    { class: "chips", role: "group", "aria-label": "Verdicts" },
    order.map((name) => chip(name, counts)),
  );
}

function chip(name, counts) {
  const look = VERDICTS.has(name) ? verdictLook(name) : "none";
  const element = button(
    [make("span", { class: `verdict ${look}` }, name), ` ${counts.get(name)}`],
    () => {
      const standings = new Set(choice.standings);
      if (!standings.delete(name)) standings.add(name);
      element.setAttribute("aria-pressed", String(standings.has(name)));
      choose({ standings });
    },
    {
      class: "chip",
      "aria-pressed": "false",
      "data-standing": name,
      title: VERDICTS.has(name) ? verdictWords(name) : null,
    },
  );
  return element;
}

function choiceList(label, id, options, changed) {
  const select = make(
    "select",
    { id, onchange: () => changed(select.value) },
    options.map(([value, words]) => make("option", { value }, words)),
  );
  return make("div", { class: "field" }, make("label", { for: id }, label), select);
}
