// The rules for the page's scripts and for their tests. Layout is Prettier's, types are tsc's.

import js from "@eslint/js";
import globals from "globals";

const PAGE = "crates/report/src/html/page";

const rules = {
  eqeqeq: "error",
  "no-else-return": "error",
  "no-implicit-coercion": "error",
  "no-shadow": "error",
  "no-throw-literal": "error",
  "no-unused-expressions": "error",
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "error",
};

export default [
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" }, rules },
  {
    files: ["tests/browser/**"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    // What programs write to terminals has control characters.
    rules: { "no-control-regex": "off" },
  },
  {
    // The files of the page share one scope. no-undef and no-unused-vars see one file only: tsc finds unknown names, and
    // lint.mjs looks at all files as one for names that no file uses.
    files: [`${PAGE}/*.js`],
    languageOptions: { sourceType: "script", globals: globals.browser },
    rules: { "no-undef": "off", "no-unused-vars": ["error", { vars: "local" }] },
  },
  {
    // The whole script, as lint.mjs puts it together.
    files: [`${PAGE}/whole/*.js`],
    languageOptions: { sourceType: "script", globals: globals.browser },
    rules: { "no-undef": "error", "no-unused-vars": "error" },
  },
];
