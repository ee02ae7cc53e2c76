import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkFilm } from '../../server/kinds/film/check/check-film.ts';
import { readAll } from '../../server/lib/bytes.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import type { CheckReport } from '../../server/tools/context.ts';
import { signal, type TestProvider, testProvider } from '../fixtures/sandbox.ts';

const scenePath = 'src/scenes/scene-1.tsx';
let provider: TestProvider;
let sandbox: Sandbox;
let soundScene: string;
let durationSeconds: number;

beforeAll(async () => {
  provider = testProvider('process');
  ({ sandbox } = await provider.create());
  await sandbox.init({ template: 'film' }, { signal });
  soundScene = (await readAll(await sandbox.readFile(scenePath, { signal }), 1_000_000)).toString('utf8');
  const filmOfTemplate = (await readAll(await sandbox.readFile('src/film.ts', { signal }), 1_000_000)).toString('utf8');
  durationSeconds = Number(/durationSeconds: ([\d.]+)/.exec(filmOfTemplate)?.[1]);
});
afterAll(() => provider[Symbol.asyncDispose]());

const write = (path: string, text: string) => sandbox.writeFile(path, Buffer.from(text), { signal });
const check = (options: { unfinished?: boolean } = {}): Promise<CheckReport> =>
  checkFilm(
    sandbox,
    {
      film: { aspect: '16:9', durationSeconds },
      scope: {
        atSeconds: [0.25, 0.5, 0.75].map((share) => share * durationSeconds),
        wholeFilm: options.unfinished !== true,
        mayBeBlank: false,
        texts: [],
        formatScenes: [],
      },
      unfinished: options.unfinished ?? false,
      typesFirst: false,
      contactSheet: true,
    },
    { signal },
  );

describe('checks of a project in its sandbox', () => {
  it('A8: finds no problem in the template and returns its frames', async () => {
    const { problems, warnings, info, contactSheet } = await check();
    expect([...problems, ...warnings]).toEqual([]);
    expect(info).toMatchObject({ durationSeconds: expect.closeTo(durationSeconds, 2) });
    expect(
      Buffer.from(contactSheet ?? '', 'base64')
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('ffd8');
    expect(await sandbox.compileProblems({ signal })).toEqual([]);
  });

  it('A8: reports a syntax error with file, line and compiler message', async () => {
    await write(scenePath, 'export function World() {\n  return <group></grou>;\n}\n');
    try {
      const { problems } = await check();
      expect(problems.find((problem) => problem.includes('error TS'))).toContain(`${scenePath}(2,`);
      // The page fails for the same reason, which is reported once.
      expect(problems.filter((problem) => problem.includes('PARSE_ERROR'))).toEqual([]);
      const [started = ''] = await sandbox.compileProblems({ signal });
      expect(started).toContain(`${scenePath}:2:`);
      expect(started).toContain('</grou>');
    } finally {
      await write(scenePath, soundScene);
    }
  });

  it('A8: reports an unresolved import with its position, and ignores it while files are still pending', async () => {
    await write(scenePath, `import { Foo } from '../kit/nowhere.tsx';\n${soundScene}\nexport const foo = Foo;\n`);
    try {
      const { problems } = await check();
      expect(problems.find((problem) => problem.includes('TS2307'))).toContain(`${scenePath}(1,`);
      expect(problems.filter((problem) => problem.includes('Failed to resolve import'))).toEqual([]);
      expect(await check({ unfinished: true })).toMatchObject({ problems: [], info: null });
    } finally {
      await write(scenePath, soundScene);
    }
  });

  it('A8: reports an error thrown at run time with its message', async () => {
    await write(scenePath, `${soundScene}\nif (Math.PI > 3) throw new Error('no such colour: blurple');\n`);
    try {
      // The dev server may notice the file only after the page has loaded.
      await vi.waitFor(async () => {
        const { problems } = await check();
        expect(problems.join('\n')).toContain('no such colour: blurple');
        expect(problems.join('\n')).toContain('scene-1.tsx');
      });
    } finally {
      await write(scenePath, soundScene);
    }
  });

  it('A8: reports a dev server that fails to start as an error of the project, with its log', async () => {
    const path = 'vite.config.ts';
    const sound = (await readAll(await sandbox.readFile(path, { signal }), 1_000_000)).toString('utf8');
    await sandbox.stopPreview({ signal });
    await write(path, `throw new Error('no such plugin: sparkle');\n${sound}`);
    try {
      const { problems } = await check();
      expect(problems.join('\n')).toContain('no such plugin: sparkle');
    } finally {
      await write(path, sound);
    }
  });
});
