import { readFileSync } from 'node:fs';
import { KodaError } from '#contract/errors.ts';
import { changeKey } from '#contract/project.ts';
import { toolNames } from '#contract/tools.ts';
import { appEditsSchema, appHintsSchema, appKindId } from '#kinds/app/contract/app.ts';
import { documentPath } from '../../../sandbox-image/templates/app/model/document.ts';
import type { Kind } from '../../projects/kind.ts';
import { operatorLimits } from '../../sandbox/sandbox.ts';
import { builtInAuthor } from './author.ts';
import { chipsOf, documentIn, newApp, planOf, problemsOf, readableApp } from './document.ts';
import { editedApp } from './edit.ts';
import { changesToFollow, withHandwork } from './follow.ts';
import { jsonPath } from './model/author.ts';
import { appTodos, buildTodos, closingTodos } from './todos.ts';
import { appTools } from './tools.ts';
import { checkAppTypes, verifyApp } from './verify.ts';

/** Tools about frames and videos, which an app does not have. */
const filmTools: ReadonlySet<string> = new Set([
  ...['sandbox_screenshot', 'render_preview', 'render_final', 'generate_code', 'generate_image', 'generate_audio'],
]);

const titleCharacters = 100;

/** The kind of a web app with lists, pages and views. */
export const appKind = {
  id: appKindId,
  title: 'App',
  noun: 'app',
  template: 'app',
  writableRoots: ['src/', 'server/', 'model/', 'data/', 'public/', './'],
  sandbox: { ...operatorLimits, idleMinutes: 15 },
  limits: { maxSteps: 400, maxIdenticalCalls: 5, maxRunMinutes: 90, maxTokens: 20_000_000, maxCostUsd: 25 },
  tools: [...toolNames.filter((name) => !filmTools.has(name)), 'generate_code', ...appTools.map(({ name }) => name)],
  ownTools: appTools,
  author: builtInAuthor,
  jsonPath,
  workflow: {
    type: 'build',
    prompt: readFileSync(new URL('./workflow.md', import.meta.url), 'utf8'),
    shown: (plan) => ({ title: plan.title, document: readableApp(plan).document }),
    problems: problemsOf,
    planTodos: () => [...buildTodos],
    changeTodos: ({ id, content }) => [
      { key: changeKey(id), title: `Change: ${content.replace(/\s+/g, ' ').slice(0, titleCharacters)}` },
      ...closingTodos,
    ],
    isFinalStep: (key) => closingTodos.some((todo) => todo.key === key),
    previewText: {
      finished: 'Your app runs. Try it, then accept it, or change it under Structure.',
      changed: 'The app is verified again. Accept it, or change it under Structure.',
    },
  },
  document: {
    unused: () => undefined,
    edit: (before, edits) => editedApp(before, edits),
    changesToFollow: (plan, read, { isProposed = false } = {}) =>
      changesToFollow(readableApp(plan), read, { writesFirst: isProposed }),
    async withHandwork(plan, edits, read) {
      const app = await withHandwork(readableApp(plan), appEditsSchema.parse(edits), read);
      return app === null ? null : planOf(app, plan);
    },
  },
  preview: { live: 'sandbox_start_preview', show: 'show_app', isTodo: (key) => key === appTodos.verify, startsEarly: true },
  check: {
    scopeOf: (key) => ({ key: key ?? appTodos.verify, isWhole: key === null || key === appTodos.verify }),
    run: async (sandbox, { plan, scope }, options) =>
      await (scope.isWhole ? verifyApp : checkAppTypes)(sandbox, readableApp(plan).document, options),
  },
  archive: {
    requiredFiles: ['package.json', documentPath],
    startsWork: false,
    async imported(read) {
      const document = documentIn(await read(documentPath));
      if (document !== null) return planOf(newApp(document));
      throw new KodaError(
        'VALIDATION_ERROR',
        `${documentPath} describes no app that this version of Koda can read. Export the project again, or start a new app.`,
      );
    },
  },
  hints: {
    schema: appHintsSchema,
    chips(hints) {
      const { document } = appHintsSchema.parse(hints);
      return document === undefined ? [] : chipsOf(document);
    },
  },
} satisfies Kind;
