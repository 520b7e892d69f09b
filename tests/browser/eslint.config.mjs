// The ESLint rules for the page's scripts and for their tests. Prettier checks the layout, and tsc the types.

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
    // The tests handle terminal output, which contains control characters.
    rules: { "no-control-regex": "off" },
  },
  {
    // The files of the page share one scope, but no-undef and no-unused-vars see only one file. So tsc finds unknown
    // names, and lint.mjs joins all files to find unused names.
    files: [`${PAGE}/*.js`],
    languageOptions: { sourceType: "script", globals: globals.browser },
    rules: { "no-undef": "off", "no-unused-vars": ["error", { vars: "local" }] },
  },
  {
    // The whole script of the page, which lint.mjs joins from its files.
    files: [`${PAGE}/whole/*.js`],
    languageOptions: { sourceType: "script", globals: globals.browser },
    rules: { "no-undef": "error", "no-unused-vars": "error" },
  },
];
