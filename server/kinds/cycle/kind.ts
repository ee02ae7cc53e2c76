import { readFileSync } from 'node:fs';
import { cycleKindId, cycleTodos, cycleWritableRoots, specificationPath } from '#contract/cycle.ts';
import { KodaError } from '#contract/errors.ts';
import { changeKey, type Plan } from '#contract/project.ts';
import { operatorLimits } from '../../sandbox/sandbox.ts';
import { runCommand } from '../../tools/commands.ts';
import { editFile, listFiles, readFile, writeFile } from '../../tools/files.ts';
import { renamed } from '../../tools/tool.ts';
import type { KindDefinition } from '../kind.ts';
import { checkTests } from './check-tests.ts';
import { documentProblems, planInArchive, specificationOf } from './specification.ts';

const testing = { key: cycleTodos.tests, title: 'Run the tests' };

/** C4: the coder's tools. They do the same as Koda's, under the names that coding agents know. */
const coderTools = [
  renamed(listFiles, 'list_files'),
  renamed(readFile, 'read_file'),
  renamed(
    writeFile,
    'write_file',
    'Writes one complete file below src/; nothing outside it is brought back. Never write placeholders such as "rest of the code here".',
  ),
  renamed(editFile, 'patch_file'),
  renamed(runCommand, 'run'),
];

/** A cycle is its specification, so that neither a person nor a model edits it as a plan. */
const notEditable = (): never => {
  throw new KodaError(
    'INVALID_PLAN',
    `The plan of a cycle is its ${specificationPath}. Send a message with your change, or edit the file and run the cycle again.`,
    { recovery: 'send_message' },
  );
};

/** Kind of a project that implements a specification in the code of a repository, until its tests pass. */
export const cycleKind: KindDefinition = {
  id: cycleKindId,
  title: 'Coding cycle',
  noun: 'code',
  template: 'cycle',
  writableRoots: cycleWritableRoots,
  sandbox: { ...operatorLimits, idleMinutes: 5 },
  limits: { maxSteps: 200, maxIdenticalCalls: 5, maxRunMinutes: 60, maxTokens: 20_000_000, maxCostUsd: 25 },
  startsFromArchive: true,
  requiredFiles: [specificationPath],
  tools: [...coderTools.map(({ name }) => name), 'update_todo', 'set_thinking', 'add_message'],
  ownTools: coderTools,
  builtIn: null,
  prompts: { workflow: readFileSync(new URL('./workflow.md', import.meta.url), 'utf8'), generator: '' },
  generatorFiles: { always: [], described: [] },
  print: { written: () => null, withPrinted: (generated) => generated },
  planTodos: () => [{ key: cycleTodos.coding, title: 'Implement the specification' }, testing],
  changeTodos: ({ id, content }) => [
    { key: changeKey(id), title: `Change: ${content.replace(/\s+/g, ' ').slice(0, 100)}` },
    testing,
  ],
  isFinalStep: (key) => key === testing.key,
  isPreview: () => false,
  steps: { live: null, check: null, show: null },
  previewText: {
    finished: 'The tests pass. Accept the result, or say what to change.',
    changed: 'The code is changed and the tests pass. Accept the result, or say what to change.',
  },
  outline: {
    shown: (plan: Plan) => ({ title: plan.title, [specificationPath]: specificationOf(plan) }),
    problems: notEditable,
    proposed: notEditable,
    edited: notEditable,
  },
  document: {
    problems: documentProblems,
    edit: notEditable,
    changesToFollow: async () => null,
    withHandwork: async () => null,
    imported: planInArchive,
  },
  check: {
    scopeOf: (key) => ({ key: key ?? testing.key, isWhole: key === null || key === testing.key }),
    // Half of a change may not pass any test yet, so only the last todo runs them.
    run: async (sandbox, { scope }, options) =>
      scope.isWhole
        ? await checkTests(sandbox, options)
        : { problems: [], warnings: [], differences: [], info: {}, contactSheet: null },
  },
  finalRender: null,
  rendered: () => null,
};
