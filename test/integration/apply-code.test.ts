import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApplyChange, type ApplyRequest, applyLimits } from '#contract/sandbox/answers.ts';
import { type AppliedCode, appliedCodeSchema } from '#contract/tools.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { applyCode } from '../../server/tools/apply.ts';
import { anyChanges, anyFiles, below, changesFor, expected } from '../fixtures/apply.ts';
import { change, type Files, unchecked } from '../fixtures/apply-sample.ts';
import { providerKinds, shell, signal, type TestProvider, testProvider } from '../fixtures/sandbox.ts';
import { toolContextOver } from '../fixtures/tool-context.ts';

/** Paths that every transaction rejects; `out`, `up`, `loop`, `mods` and `nowhere` are links. */
const badPaths = [
  '../a.ts',
  'src/../../a.ts',
  '/etc/a.ts',
  '//a.ts',
  'C:/a.ts',
  '~/a.ts',
  'src\\a.ts',
  '',
  '.',
  'src/a\0.ts',
  'src/a\n.ts',
  'src/a\u0085.ts',
  'src/con',
  'src/NUL.ts',
  'lpt1.ts',
  'src/a.',
  'src/a ',
  '.git/config',
  '.GIT/hooks/post-checkout',
  'src/.git/config',
  'node_modules/react/index.js',
  'src/Node_Modules/a.ts',
  '.koda/apply/journal.json',
  'dist/a.js',
  `${'d/'.repeat(17)}a.ts`,
  'x'.repeat(256),
  `${'é'.repeat(300)}/a.ts`,
  'out/a.ts',
  'out/deep/a.ts',
  'up/up/a.ts',
  'loop/a.ts',
  'mods/react/index.js',
  'nowhere/a.ts',
];

describe.each(providerKinds)('apply_code: %s', (kind) => {
  const numRuns = kind === 'process' ? 50 : 5;
  let place: TestProvider;
  let sandbox: Sandbox;
  let folders = 0;

  beforeAll(async () => {
    place = testProvider(kind);
    ({ sandbox } = await place.create());
    await sandbox.init({ template: 'film' }, { signal });
  });
  afterAll(async () => await place?.[Symbol.asyncDispose]());

  const apply = (changes: readonly ApplyChange[], more: Partial<ApplyRequest> = {}) =>
    sandbox.applyFiles({ ...unchecked, ...more, changes: [...changes] }, { signal });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: { code: string }) => error.code,
    );

  async function folderWith(files: Files): Promise<string> {
    const folder = `public/r${++folders}`;
    await apply([change(`${folder}/kept`, 'kept', 'nothing'), ...below(folder, changesFor(files))]);
    return folder;
  }

  async function filesIn(folder: string): Promise<Files> {
    const { files } = await sandbox.listFiles(folder, { recursive: true, signal });
    const texts: Record<string, string> = {};
    for (const { path, type } of files)
      if (type === 'file' && path !== `${folder}/kept`)
        texts[path.slice(folder.length + 1)] = Buffer.concat(
          await (await sandbox.readFile(path, { signal })).toArray(),
        ).toString();
    return texts;
  }

  it('G1: creates missing files, updates and deletes existing ones, and changes nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, anyChanges, async (files, changes) => {
        const folder = await folderWith(files);
        const { after, refusal } = expected(files, changes);
        expect(await codeOf(apply(below(folder, changes)))).toBe(refusal);
        expect(await filesIn(folder)).toEqual(after);
      }),
      { numRuns },
    );
  });

  it('G2: refuses a bad path before it touches any file', async () => {
    await shell(sandbox, 'ln -sfn /tmp out; ln -sfn .. up; ln -sfn loop loop; ln -sfn node_modules mods; ln -sfn gone nowhere');
    await fc.assert(
      fc.asyncProperty(anyFiles, anyChanges, fc.constantFrom(...badPaths), fc.nat(), async (files, changes, bad, at) => {
        const folder = await folderWith(files);
        const all = below(folder, changes);
        const { refusal } = expected(files, changes);
        all.splice(at % (all.length + 1), 0, change(bad, 'planted', 'any'));
        expect(await codeOf(apply(all))).toMatch(
          refusal === null ? /^INVALID_PATH$/ : /^(INVALID_PATH|CONFLICT|FILE_NOT_FOUND)$/,
        );
        expect(await filesIn(folder)).toEqual(files);
      }),
      { numRuns },
    );
    expect(await shell(sandbox, 'ls -d /tmp/a.ts /tmp/deep ../a.ts ../../a.ts 2>/dev/null || true')).toBe('');
    await shell(sandbox, 'rm out up loop mods nowhere');
  });

  it('G1: runs two transactions in sequence and validates the second against the result of the first', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, anyChanges, anyChanges, async (files, one, other) => {
        const folder = await folderWith(files);
        const outcomes = await Promise.all([one, other].map((changes) => codeOf(apply(below(folder, changes)))));
        const orders = [
          [one, other],
          [other, one],
        ].map(([first = [], second = []]) => {
          const middle = expected(files, first);
          const end = expected(middle.after, second);
          const refusals = first === one ? [middle.refusal, end.refusal] : [end.refusal, middle.refusal];
          return { outcomes: refusals, files: end.after };
        });
        expect(orders).toContainEqual({ outcomes, files: await filesIn(folder) });
      }),
      { numRuns },
    );
  });

  it('G1: leaves the project unchanged if the check of a copy with the changes fails', async () => {
    const folder = await folderWith({ 'a.ts': 'one', 'b.ts': 'two' });
    const changes = [change(`${folder}/a.ts`, 'new', 'file'), change(`${folder}/b.ts`, null, 'file')];
    const check = `cat ${folder}/a.ts; ls ${folder}; echo x > ${folder}/kept; echo y > new.txt; exit 3`;
    expect(await apply(changes, { check, timeoutMs: 60_000 })).toEqual({
      applied: false,
      check: { exitCode: 3, timedOut: false, output: expect.stringMatching(/^newa\.ts\nkept\n$/) },
    });
    expect(await filesIn(folder)).toEqual({ 'a.ts': 'one', 'b.ts': 'two' });
    expect(await shell(sandbox, `cat ${folder}/kept; ls new.txt 2>/dev/null || ls .koda/apply`)).toBe('kept');
    expect(await apply(changes, { check: 'sleep 30', timeoutMs: 200 })).toMatchObject({
      applied: false,
      check: { timedOut: true },
    });
    expect(await apply(changes, { check: 'true', timeoutMs: 60_000 })).toMatchObject({ applied: true });
    expect(await filesIn(folder)).toEqual({ 'a.ts': 'new' });
  });

  it('G1: refuses oversized changes, duplicate paths, folders, and missing packages', async () => {
    const folder = await folderWith({ 'a.ts': 'one', 'c/d.ts': 'two' });
    const of = (path: string, content: string | null = 'new') => change(`${folder}/${path}`, content, 'any');
    const large = 'x'.repeat(applyLimits.fileBytes);
    const refused: [string, readonly ApplyChange[], Partial<ApplyRequest>][] = [
      ['VALIDATION_ERROR', [of('a.ts'), of('./a.ts')], {}],
      ['VALIDATION_ERROR', [of('n.ts'), of('n.ts/below.ts')], {}],
      ['NOT_A_DIRECTORY', [of('n.ts'), of('a.ts/below.ts')], {}],
      ['IS_A_DIRECTORY', [of('n.ts'), of('c', null)], {}],
      ['TOO_LARGE', [of('n.ts'), of('m.ts', `${large}x`)], {}],
      ['TOO_LARGE', ['1', '2', '3', '4'].map((name) => of(name, large)), {}],
      ['VALIDATION_ERROR', Array.from({ length: applyLimits.files + 1 }, (_, index) => of(`n${index}`)), {}],
      ['DEPENDENCY_FAILED', [of('n.ts')], { dependencies: ['react', 'no-such-package'] }],
      ['DEPENDENCY_FAILED', [of('n.ts')], { dependencies: ['react@0.0.1'] }],
      ['VALIDATION_ERROR', [of('n.ts')], { dependencies: ['../../etc'] }],
    ];
    for (const [code, changes, more] of refused) expect(await codeOf(apply(changes, more)), code).toBe(code);
    expect(await filesIn(folder)).toEqual({ 'a.ts': 'one', 'c/d.ts': 'two' });
    expect(await codeOf(apply([of('n.ts')], { dependencies: ['react', '@theatre/core'] }))).toBe(null);
  });

  // Without containers, a sandbox has no packages for type checks.
  if (kind === 'docker')
    it('G1: the tool returns success, files, status and error, and accepts no code that does not compile', async () => {
      const events: unknown[] = [];
      const context = toolContextOver(sandbox, { emit: async (...bodies) => void events.push(...bodies) });
      const call = async (...files: object[]): Promise<AppliedCode> => {
        const answer = await applyCode.call({ rationale: 'A test', files }, context);
        if (answer.status === 'suspended') throw new Error('it does not wait');
        return appliedCodeSchema.parse(answer.status === 'completed' ? answer.output : answer.details);
      };
      const file = { path: 'src/one.ts', content: 'export const one: number = 1;\n' };
      const user = { path: 'src/two.ts', content: "import { one } from './one.ts';\nexport const two = one + 1;\n" };
      expect(await call({ ...file, action: 'create' }, { ...user, action: 'create' })).toEqual({
        success: true,
        processedFiles: [
          { path: 'src/one.ts', action: 'create' },
          { path: 'src/two.ts', action: 'create' },
        ],
        deploymentStatus: 'written',
        error: null,
      });
      expect(events).toHaveLength(2);
      const unchanged = { success: false, processedFiles: [], deploymentStatus: 'unchanged' };
      const wrong = { ...file, content: "export const one: number = 'one';\n", action: 'update' };
      expect(await call(wrong, { path: 'src/two.ts', action: 'delete' })).toEqual({
        ...unchanged,
        error: { code: 'APPLY_FAILED', message: expect.stringContaining('src/one.ts(1,14): error TS2322') },
      });
      // Files that still import the deleted file would not compile.
      expect(await call({ path: 'src/one.ts', action: 'delete' })).toMatchObject({
        ...unchanged,
        error: { code: 'APPLY_FAILED' },
      });
      expect(await call({ ...file, action: 'create' })).toMatchObject({ ...unchanged, error: { code: 'CONFLICT' } });
      expect(await call({ path: 'src/gone.ts', action: 'delete' })).toMatchObject({
        ...unchanged,
        error: { code: 'FILE_NOT_FOUND' },
      });
      expect(await call({ ...file, path: '.env', action: 'create' })).toMatchObject({
        ...unchanged,
        error: { code: 'INVALID_PATH' },
      });
      expect(await shell(sandbox, 'cat src/one.ts src/two.ts')).toBe(`${file.content}${user.content}`.trimEnd());
      expect(events).toHaveLength(2);
      expect(await call({ path: 'src/one.ts', action: 'delete' }, { path: 'src/two.ts', action: 'delete' })).toMatchObject({
        success: true,
      });
    });
});
