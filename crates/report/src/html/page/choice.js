// The filters of the submissions. The table and the matrix share them.

const choice = {
  text: "",
  /** @type {Set<string>} The chosen standings. If it is empty, submissions of every standing pass. */
  standings: new Set(),
  onlyUnwanted: false,
  /** @type {(() => void)[]} */
  followers: [],
};

/** @param {Model.Submission} submission */
function isChosen(submission) {
  const names = `${submission.shortName}\n${submission.name}`.toLowerCase();
  if (choice.text !== "" && !names.includes(choice.text)) return false;
  if (choice.standings.size > 0 && !choice.standings.has(standing(submission))) return false;
  return !choice.onlyUnwanted || isAsWanted(submission) === false;
}

/** @param {Model.Report} report */
function chosenSubmissions(report) {
  return report.submissions.filter((submission) => isChosen(submission));
}

/**
 * Calls `follower` now, and whenever the filters change.
 * @param {() => void} follower
 */
function followChoice(follower) {
  choice.followers.push(follower);
  follower();
}

/** @param {Partial<typeof choice>} change */
function choose(change) {
  Object.assign(choice, change);
  choice.followers.forEach((follower) => follower());
}

/**
 * Makes the filters, and shows the number of submissions that pass them.
 * @param {Model.Report} report
 */
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
    tickBox("only submissions not as expected", (onlyUnwanted) => choose({ onlyUnwanted })),
    count,
  );
}

/**
 * @param {string} label
 * @param {string} id
 * @param {(text: string) => void} changed
 */
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

/**
 * @param {string} label
 * @param {(isTicked: boolean) => void} changed
 */
function tickBox(label, changed) {
  const input = make("input", { type: "checkbox", onchange: () => changed(input.checked) });
  return make("label", { class: "tick" }, input, label);
}

/**
 * Makes one button for each verdict in the report. With no button pressed, all submissions pass.
 * @param {Model.Report} report
 */
function verdictChips(report) {
  return make(
    "div",
    { class: "chips", role: "group", "aria-label": "Verdicts" },
    Array.from(standingCounts(report.submissions), ([name, count]) => chip(name, count)),
  );
}

/**
 * Counts the submissions of each standing, in the order of the verdicts.
 * @param {Model.Submission[]} submissions
 * @returns {Map<string, number>}
 */
function standingCounts(submissions) {
  const counts = new Map();
  for (const submission of submissions) counts.set(standing(submission), (counts.get(standing(submission)) ?? 0) + 1);
  const order = [...VERDICTS.keys(), "skipped", "unfinished"].filter((name) => counts.has(name));
  return new Map(order.map((name) => [name, counts.get(name)]));
}

/** @param {string} word as `standing` returns it */
function standingBadge(word) {
  const look = VERDICTS.has(word) ? verdictLook(word) : "none";
  return make("span", { class: `verdict ${look}` }, standingWords(word));
}

/**
 * @param {string} name
 * @param {number} count
 */
function chip(name, count) {
  const element = button(
    [standingBadge(name), ` ${grouped(count)}`],
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

/**
 * @param {string} label
 * @param {string} id
 * @param {string[][]} options
 * @param {(value: string) => void} changed
 */
function choiceList(label, id, options, changed) {
  const select = make(
    "select",
    { id, onchange: () => changed(select.value) },
    options.map(([value, words]) => make("option", { value }, words)),
  );
  return make("div", { class: "field" }, make("label", { for: id }, label), select);
}
