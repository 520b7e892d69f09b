// Shortens the names of submissions: what all of them begin with is shown once.

/**
 * Returns the folders that all names begin with, up to the last `/` that they share; empty if there are none, or if
 * the report has fewer than two names.
 * @param {string[]} names
 * @returns {string}
 */
function commonFolders(names) {
  if (names.length < 2) return "";
  const [first, ...others] = names;
  const length = others.reduce((most, name) => sharedLength(first, name, most), first.length);
  const end = first.lastIndexOf("/", length - 1) + 1;
  // A name that ends there keeps its last part.
  return names.every((name) => name.length > end) ? first.slice(0, end) : commonFolders(names.map(parentOf));
}

/** @param {string} name */
function parentOf(name) {
  return name.slice(0, Math.max(0, name.lastIndexOf("/", name.length - 2) + 1));
}

/**
 * Returns how many of the first `most` characters two names share.
 * @param {string} one
 * @param {string} other
 * @param {number} most
 */
function sharedLength(one, other, most) {
  let length = 0;
  while (length < most && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

/**
 * Returns the name to show for a submission.
 * @param {Model.Report} report
 * @param {Model.Submission} submission
 */
function shortNameOf({ commonFolders: folders }, { name, student }) {
  // The name of a student's work has the number or folder that distinguishes students of the same name.
  return student === null ? name.slice(folders.length) : name;
}

/**
 * Makes the sentence about what all names begin with; null if they share no folder, or if the
 * table shows the names of students.
 * @param {Model.Report} report
 */
function commonFoldersNote({ commonFolders: folders, submissions }) {
  const isHidden = folders === "" || submissions.every(({ student }) => student !== null);
  return isHidden ? null : make("p", { class: "about" }, "All names begin with ", named(folders));
}
