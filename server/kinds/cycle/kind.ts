import { readFileSync } from 'node:fs';
import { changeKey } from '#contract/project.ts';
import { cycleKindId, cycleTodos, cycleWritableRoots, specificationPath } from '#kinds/cycle/contract/cycle.ts';
import type { Kind } from '../../projects/kind.ts';
import { operatorLimits } from '../../sandbox/sandbox.ts';
import { runCommand } from '../../tools/commands.ts';
import { editFile, listFiles, readFile, writeFile } from '../../tools/files.ts';
import { renamed } from '../../tools/tool.ts';
import { checkTests } from './check-tests.ts';
import { documentProblems, planInArchive, specificationOf } from './specification.ts';

const testing = { key: cycleTodos.tests, title: 'Run the tests' };

/** The coder's tools: Koda's own, renamed to what coding agents call them. */
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

/**
 * Kind of a project that implements a specification in the code of a repository, until its tests pass. A cycle is its specification,
 * so that neither a person nor a model edits it as a plan.
 */
export const cycleKind: Kind = {
  id: cycleKindId,
  title: 'Coding cycle',
  noun: 'code',
  template: 'cycle',
  writableRoots: cycleWritableRoots,
  sandbox: { ...operatorLimits, idleMinutes: 5 },
  limits: { maxSteps: 200, maxIdenticalCalls: 5, maxRunMinutes: 60, maxTokens: 20_000_000, maxCostUsd: 25 },
  tools: [...coderTools.map(({ name }) => name), 'update_todo', 'set_thinking', 'add_message'],
  ownTools: coderTools,
  workflow: {
    type: 'build',
    prompt: readFileSync(new URL('./workflow.md', import.meta.url), 'utf8'),
    shown: (plan) => ({ title: plan.title, [specificationPath]: specificationOf(plan) }),
    problems: documentProblems,
    planTodos: () => [{ key: cycleTodos.coding, title: 'Implement the specification' }, testing],
    changeTodos: ({ id, content }) => [
      { key: changeKey(id), title: `Change: ${content.replace(/\s+/g, ' ').slice(0, 100)}` },
      testing,
    ],
    isFinalStep: (key) => key === testing.key,
    previewText: {
      finished: 'The tests pass. Accept the result, or say what to change.',
      changed: 'The code is changed and the tests pass. Accept the result, or say what to change.',
    },
  },
  check: {
    scopeOf: (key) => ({ key: key ?? testing.key, isWhole: key === null || key === testing.key }),
    // Half of a change may not pass any test yet, so only the last todo runs them.
    run: async (sandbox, { scope }, options) =>
      scope.isWhole
        ? await checkTests(sandbox, options)
        : { problems: [], warnings: [], differences: [], info: {}, contactSheet: null },
  },
  archive: { requiredFiles: [specificationPath], startsWork: true, imported: planInArchive },
};
