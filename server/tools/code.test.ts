import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { retryPolicies } from '#contract/retry.ts';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { responseLimits } from '../llm/models/response-timeouts.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { generateCode } from './code.ts';
import type { Correction } from './context.ts';

/**
 * Runs `generate_code` on files whose declared and actual sizes differ. Returns what was read and what the generator
 * received.
 */
function setUp(files: readonly { path: string; told: number; sent: number }[]) {
  const read: string[] = [];
  const shown: { path: string; content: string }[] = [];
  const sandbox = {
    listFiles: async () => ({
      files: files.map(({ path, told }) => ({ path, type: 'file', sizeBytes: told })),
      complete: true,
    }),
    readFile: async (path: string) => {
      read.push(path);
      return Readable.from([Buffer.alloc(files.find((file) => file.path === path)?.sent ?? 0, 'x')]);
    },
  } as unknown as Sandbox;
  const context = toolContextOver(sandbox, {
    async generate(_task, given) {
      shown.push(...given);
      return { files: [], deleted: [], summary: 'Nothing to do' };
    },
  });
  const run = (named: string[] = ['src/a.ts']) =>
    generateCode.call({ task: 'modify_existing', files: named, change: 'x' }, context);
  return { read, shown, run };
}

it('46.2: reads the named files first, so that the limit never withholds one of them', async () => {
  const large = (path: string) => ({ path, told: 150_000, sent: 150_000 });
  const { shown, run } = setUp(['src/scenes/a.tsx', 'src/scenes/b.tsx', 'src/formats/number.tsx'].map(large));
  await run(['src/formats/number.tsx']);
  expect(shown.map(({ path }) => path)).toEqual(['src/formats/number.tsx', 'src/scenes/a.tsx']);
});

describe('the code generator', () => {
  it('T14: allows time for all attempts at a response', () => {
    for (const { attempts, maxDelayMs } of Object.values(retryPolicies))
      expect(generateCode.timeoutMs).toBeGreaterThanOrEqual(attempts * (responseLimits.totalTimeoutMs + maxDelayMs));
  });
});

it('46.2: answers with paths and sizes, and never with the text of the files', async () => {
  const text = 'export const secret = 1;\n';
  const sandbox: Partial<Sandbox> = {
    listFiles: async () => ({ files: [], complete: true }),
    applyFiles: async () => ({ applied: true, written: [], deleted: [] }),
  };
  const context = toolContextOver(sandbox as Sandbox, {
    checkGenerated: async () => ({ problems: [], warnings: [], differences: [], info: null, contactSheet: null }),
    generate: async () => ({
      files: [{ path: 'src/a.ts', content: text }],
      deleted: ['src/b.ts'],
      summary: 'A constant.',
    }),
  });
  const result = await generateCode.call({ task: 'create_scene', scenes: [1] }, context);
  expect(result).toMatchObject({
    status: 'completed',
    output: { files: [{ path: 'src/a.ts', size_bytes: text.length }], deleted: ['src/b.ts'], summary: 'A constant.' },
  });
  expect(JSON.stringify(result)).not.toContain('secret');
});

describe('the check of generated code', () => {
  const wrong = "src/a.ts(1,7): error TS2304: Cannot find name 'bal'.";
  const report = { problems: [], warnings: [], differences: [], info: {}, contactSheet: `/9j/${'A'.repeat(40)}` };

  /** Runs `generate_code` with a generator that needs `tries` responses. Returns the result and what the generator was told. */
  async function mend(tries: number, parts: Parameters<typeof toolContextOver>[1] = {}) {
    const sandbox: Partial<Sandbox> = {
      listFiles: async () => ({ files: [], complete: true }),
      applyFiles: async () => ({ applied: true, written: [], deleted: [] }),
    };
    const told: (readonly Correction[])[] = [];
    const context = toolContextOver(sandbox as Sandbox, {
      supportsImages: true,
      async generate(_task, _files, corrections) {
        told.push([...corrections]);
        return { files: [{ path: 'src/a.ts', content: `try ${told.length}` }], deleted: [], summary: 'A scene.' };
      },
      checkGenerated: async () => (told.length < tries ? { ...report, problems: [wrong], contactSheet: null } : report),
      ...parts,
    });
    return { result: await generateCode.call({ task: 'create_scene', scenes: [1] }, context), told };
  }

  it('46.2: the generator corrects its own errors out of the agent’s sight, and the result has the frames', async () => {
    const { result, told } = await mend(3);
    expect(told.map((corrections) => corrections.map(({ problems }) => problems))).toEqual([[], [[wrong]], [[wrong], [wrong]]]);
    expect(told[2]?.[1]?.generated.files).toEqual([{ path: 'src/a.ts', content: 'try 2' }]);
    expect(result).toMatchObject({
      status: 'completed',
      output: { files: [{ path: 'src/a.ts', size_bytes: 5 }] },
      images: [{ mediaType: 'image/jpeg', base64: report.contactSheet }],
    });
    expect(JSON.stringify(result)).not.toContain('TS2304');
  });

  it('46.2: reports what remains wrong after two corrections, each error once, and not as ok', async () => {
    const { result, told } = await mend(9);
    expect(told).toHaveLength(3);
    expect(result).toMatchObject({ status: 'error', code: 'CHECK_FAILED', details: { files: [{ path: 'src/a.ts' }] } });
    expect(JSON.stringify(result).match(/TS2304/g)).toHaveLength(1);
  });

  it('46.2: keeps the files and reports the problems if the generator fails to correct them', async () => {
    let asked = 0;
    const { result } = await mend(9, {
      async generate() {
        asked += 1;
        if (asked === 2) throw new KodaError('GENERATION_FAILED', 'too long');
        return { files: [{ path: 'src/a.ts', content: 'x' }], deleted: [], summary: 'A scene.' };
      },
      checkGenerated: async () => ({ ...report, problems: [wrong] }),
    });
    expect(result).toMatchObject({ code: 'CHECK_FAILED', message: expect.stringContaining(wrong) });
    expect(asked).toBe(2);
  });
});

describe('files for the code generator', () => {
  it('A7: includes as many files as fit, and smaller ones after one that is too large', async () => {
    const { shown, run } = setUp([
      { path: 'src/a.ts', told: 100_000, sent: 100_000 },
      { path: 'src/large.ts', told: 350_000, sent: 350_000 },
      { path: 'src/b.css', told: 200_000, sent: 200_000 },
      { path: 'src/picture.png', told: 10, sent: 10 },
    ]);
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(shown.map(({ path, content }) => [path, content.length])).toEqual([
      ['src/a.ts', 100_000],
      ['src/b.css', 200_000],
    ]);
  });

  it.each([
    ['send much', 150_000, 3],
    ['have long names', 0, 101],
  ])('A7: counts the received bytes if a sandbox lists empty files that %s', async (_what, sent, atMost) => {
    const { read, run } = setUp(
      Array.from({ length: 5_000 }, (_, index) => ({
        path: `src/${String(index).padStart(3_990, 'x')}.ts`,
        told: 0,
        sent,
      })),
    );
    await run();
    expect(read.length).toBeGreaterThan(0);
    expect(read.length).toBeLessThanOrEqual(atMost);
  });
});
