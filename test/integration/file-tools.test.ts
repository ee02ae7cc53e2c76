import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labelHeight } from '../../sandbox-image/sandboxd/browser/time-label.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import type { ToolImage } from '../../server/tools/tool.ts';
import { run, shell, signal, type TestProvider, testProvider } from '../fixtures/sandbox.ts';
import { type SandboxTools, toolsOver } from '../fixtures/tools.ts';

const secret = 'nobody-may-read-this';
/** Paths that lead out of the project, directly or through links. */
const waysOut = [
  '../secret',
  '../../etc',
  '/etc',
  '/etc/passwd',
  'src/../../secret',
  'out',
  'out/secret.txt',
  'secret-link',
  'a\0b',
  '~',
  'C:/x',
];

let place: TestProvider;
let sandbox: Sandbox;
let tools: SandboxTools;
let outside: string;

beforeAll(async () => {
  place = testProvider('process');
  ({ sandbox } = await place.create());
  await sandbox.init({ template: 'film' }, { signal });
  tools = toolsOver(sandbox);
  outside = mkdtempSync('/tmp/koda-outside-');
  writeFileSync(join(outside, 'secret.txt'), `${secret}\n`);
  await shell(sandbox, `ln -s ${outside} out && ln -s ${outside}/secret.txt secret-link`);
});

afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  rmSync(outside, { recursive: true, force: true });
});

const write = (path: string, content: string | Uint8Array) => sandbox.writeFile(path, Buffer.from(content), { signal });

/** Returns the images from a call that must succeed. */
async function picturesOf(path: string): Promise<readonly ToolImage[]> {
  const answer = await tools.call('file_view', { path });
  if (answer.status !== 'completed') throw new Error(JSON.stringify(answer));
  return answer.images ?? [];
}

describe('file_append', () => {
  it('T3: appends text, reports the new size, and saves the file', async () => {
    await write('src/notes.md', 'one\n');
    const saves = tools.saves();
    expect(await tools.output('file_append', { path: 'src/notes.md', text: 'zwölf\n' })).toEqual({
      path: 'src/notes.md',
      size_bytes: 11,
    });
    expect((await buffer(await sandbox.readFile('src/notes.md', { signal }))).toString()).toBe('one\nzwölf\n');
    expect(tools.events.at(-1)).toEqual({ type: 'file.written', path: 'src/notes.md', sizeBytes: 11 });
    expect(tools.saves()).toBe(saves + 1);
  });

  it('T3: names similar paths for a missing file, and creates none', async () => {
    expect(await tools.call('file_append', { path: 'src/note.md', text: 'x' })).toMatchObject({
      status: 'error',
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('src/notes.md'),
    });
    await expect(sandbox.statFile('src/note.md', { signal })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  it('G2: refuses every path outside the project', async () => {
    for (const path of [...waysOut, 'node_modules/x.js', '.git/config'])
      expect(await tools.call('file_append', { path, text: 'x' }), path).toMatchObject({ status: 'error', code: 'INVALID_PATH' });
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe(`${secret}\n`);
  });
});

describe('match_glob', () => {
  beforeAll(async () => {
    await shell(
      sandbox,
      'mkdir -p deep/dist deep/sub && touch deep/a.tsx deep/b.ts deep/dist/c.ts deep/sub/d.tsx "deep/odd name.ts" deep/.hidden.ts',
    );
  });

  it.each([
    ['*.tsx', ['deep/a.tsx', 'deep/sub/d.tsx']],
    ['/*.tsx', ['deep/a.tsx']],
    ['**/*.ts', ['deep/.hidden.ts', 'deep/b.ts', 'deep/odd name.ts']],
    ['*.{ts,tsx}', ['deep/.hidden.ts', 'deep/a.tsx', 'deep/b.ts', 'deep/odd name.ts', 'deep/sub/d.tsx']],
    ['nothing.*', []],
  ])('T3: finds %s in order, without untracked paths', async (pattern, paths) => {
    expect(await tools.output('match_glob', { pattern, path: 'deep' })).toEqual({ paths, complete: true });
  });

  it('T3: searches the whole project if no folder is given', async () => {
    const { paths } = await tools.output('match_glob', { pattern: 'package.json' });
    expect(paths).toEqual(['package.json']);
  });

  it('T3: cuts a long list and reports it', async () => {
    await shell(sandbox, 'mkdir many && cd many && seq -f "f%g.txt" 1 1100 | xargs touch');
    const { paths, complete } = await tools.output('match_glob', { pattern: '*.txt', path: 'many' });
    expect([(paths as string[]).length, complete]).toEqual([1000, false]);
    await shell(sandbox, 'rm -r many');
  });

  it.each(['{a', '[z-a]', '!*.ts', '../*', 'a\0b'])('T3: explains the error in the pattern %j', async (pattern) => {
    expect(await tools.call('match_glob', { pattern })).toMatchObject({ status: 'error', code: 'INVALID_PATTERN' });
  });

  it('G2: refuses every path outside the project, and follows no link', async () => {
    for (const path of waysOut) {
      const answer = await tools.call('match_glob', { pattern: '*', path });
      expect(answer, path).toMatchObject({ status: 'error', code: 'INVALID_PATH' });
    }
    expect(JSON.stringify(await tools.output('match_glob', { pattern: '*.txt' }))).not.toContain('secret.txt');
  });

  it('T13: names similar paths for a missing folder', async () => {
    expect(await tools.call('match_glob', { pattern: '*', path: 'deep/b.tsx' })).toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('deep/b.ts'),
    });
  });
});

describe('match_grep', () => {
  beforeAll(async () => {
    await shell(sandbox, 'mkdir -p words/node_modules words/dist');
    await write('words/a.ts', 'const needle = 1;\nnothing\n  Needle();\n');
    await write('words/b.md', 'a needle in **hay**\n');
    await shell(sandbox, 'echo needle > words/node_modules/x.js; echo needle > words/dist/x.js; echo "*.md" > words/.gitignore');
    await shell(sandbox, "printf 'needle\\0binary' > words/c.bin");
  });

  it('T3: returns path, line and text, without untracked files', async () => {
    expect(await tools.output('match_grep', { pattern: 'needle', path: 'words' })).toEqual({
      matches: [
        { path: 'words/a.ts', line: 1, text: 'const needle = 1;' },
        { path: 'words/b.md', line: 1, text: 'a needle in **hay**' },
      ],
      complete: true,
    });
  });

  it('T3: accepts a file, a glob, and matching without case', async () => {
    expect(await tools.output('match_grep', { pattern: 'NEEDLE', path: 'words/a.ts', ignore_case: true })).toEqual({
      matches: [
        { path: 'words/a.ts', line: 1, text: 'const needle = 1;' },
        { path: 'words/a.ts', line: 3, text: '  Needle();' },
      ],
      complete: true,
    });
    const { matches } = await tools.output('match_grep', { pattern: 'needle', path: 'words', glob: '*.md' });
    expect(matches).toEqual([{ path: 'words/b.md', line: 1, text: 'a needle in **hay**' }]);
  });

  it('T3: uses a pattern literally, without shell or option syntax', async () => {
    await write('words/odd.txt', '--files $(touch pwned) `id` ; rm\n');
    for (const pattern of ['--files', '\\$\\(touch pwned\\)', '`id` ;'])
      expect((await tools.output('match_grep', { pattern, path: 'words' }))['matches'], pattern).toHaveLength(1);
    expect((await run(sandbox, 'ls pwned words/pwned')).exit.exitCode).not.toBe(0);
  });

  it('T3: cuts long lines around the match and limits the matches, and reports both', async () => {
    await write('words/long.txt', `${'x'.repeat(5000)}gold${'y'.repeat(5000)}\n`);
    const { matches } = await tools.output('match_grep', { pattern: 'gold', path: 'words' });
    const [found] = matches as { text: string }[];
    expect(found?.text).toContain('gold');
    expect(found?.text.length).toBeLessThan(310);
    await write('words/many.txt', 'silver\n'.repeat(500));
    const many = await tools.output('match_grep', { pattern: 'silver', path: 'words' });
    expect([(many['matches'] as unknown[]).length, many['complete']]).toEqual([200, false]);
  });

  it.each(['(', 'a{2,1}', '(?=look)', '[z-a]', '((a{1000}){1000}){10}'])(
    'T3: says what is wrong with the pattern %j',
    async (pattern) => {
      expect(await tools.call('match_grep', { pattern })).toMatchObject({
        status: 'error',
        code: 'INVALID_PATTERN',
        message: expect.stringContaining('not valid'),
      });
    },
  );

  it('G2: refuses every path outside the project, and follows no link', async () => {
    for (const path of waysOut)
      expect(await tools.call('match_grep', { pattern: '.', path }), path).toMatchObject({ code: 'INVALID_PATH' });
    expect((await tools.output('match_grep', { pattern: secret }))['matches']).toEqual([]);
  });

  it('T3: does not run a program of the project with the same name', async () => {
    await shell(sandbox, 'mkdir -p bin && printf "#!/bin/sh\\necho fake\\n" > bin/rg && chmod +x bin/rg');
    await shell(sandbox, 'rm node_modules && mkdir -p node_modules/.bin && cp bin/rg node_modules/.bin/rg');
    expect((await tools.output('match_grep', { pattern: 'needle', path: 'words/a.ts' }))['matches']).toHaveLength(1);
  });
});

describe('file_view', () => {
  it('T3: returns a small image unchanged', async () => {
    const logo = await readFile(join(import.meta.dirname, '../fixtures/logo.png'));
    await write('public/logo.png', logo);
    const before = PNG.sync.read(logo);
    const answer = await tools.call('file_view', { path: 'public/logo.png' });
    expect(answer).toMatchObject({
      status: 'completed',
      output: { path: 'public/logo.png', width: before.width, height: before.height, size_bytes: logo.length },
    });
    const [image] = await picturesOf('public/logo.png');
    expect(image?.mediaType).toBe('image/png');
    const shown = PNG.sync.read(Buffer.from(image?.base64 ?? '', 'base64'));
    expect([shown.width, shown.height]).toEqual([before.width, before.height]);
    // The text result contains no image, which would fill the context.
    expect(JSON.stringify(answer.status === 'completed' && answer.output).length).toBeLessThan(200);
  });

  it('T3: scales a large photo down and keeps its proportions', async () => {
    const [width, height] = [3000, 1500];
    const data = Buffer.alloc(width * height * 4, 200);
    await write('public/photo.jpg', jpeg.encode({ width, height, data }, 80).data);
    expect(await tools.output('file_view', { path: 'public/photo.jpg' })).toMatchObject({ width, height });
    const [image] = await picturesOf('public/photo.jpg');
    expect(image?.mediaType).toBe('image/jpeg');
    const shown = jpeg.decode(Buffer.from(image?.base64 ?? '', 'base64'));
    expect([shown.width, shown.height]).toEqual([1280, 640]);
    expect(Math.abs((shown.data[0] ?? 0) - 200)).toBeLessThan(4);
  });

  it('T3: draws an SVG with its transparency, and loads nothing external', async () => {
    await write(
      'public/mark.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>document.title = "x"</script><rect width="20" height="20" fill="#f00"/><image href="http://127.0.0.1:1/x.png" width="9" height="9"/></svg>',
    );
    const [image] = await picturesOf('public/mark.svg');
    const shown = PNG.sync.read(Buffer.from(image?.base64 ?? '', 'base64'));
    expect([shown.width, shown.height]).toEqual([40, 20]);
    expect([...shown.data.subarray(15 * 4, 15 * 4 + 4)]).toEqual([255, 0, 0, 255]);
    expect(shown.data[30 * 4 + 3]).toBe(0);
  });

  it('T3: draws a page of a PDF and reports the number of pages', async () => {
    // The PDF lacks a cross-reference table, which readers reconstruct.
    const page = (number: number, colour: string) =>
      `${number} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents ${number + 10} 0 R>> endobj\n` +
      `${number + 10} 0 obj <</Length ${colour.length + 18}>> stream\n${colour} rg 0 0 200 100 re f\nendstream endobj\n`;
    const pages = `2 0 obj <</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>> endobj\n${page(3, '1 0 0')}${page(4, '0 0 1')}`;
    const root = '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n';
    await write('public/two.pdf', `%PDF-1.4\n${root}${pages}trailer <</Root 1 0 R>>\n%%EOF\n`);
    const middleOf = async (number: number) => {
      const answer = await tools.call('file_view', { path: 'public/two.pdf', page: number });
      expect(answer).toMatchObject({ status: 'completed', output: { width: 1280, height: 640, page: number, pages: 2 } });
      const base64 = (answer.status === 'completed' && answer.images?.[0]?.base64) || '';
      const { data, width, height } = PNG.sync.read(Buffer.from(base64, 'base64'));
      return [...data.subarray((width * height * 4) / 2, (width * height * 4) / 2 + 3)];
    };
    expect([await middleOf(1), await middleOf(2)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
    expect(await tools.call('file_view', { path: 'public/two.pdf', page: 3 })).toMatchObject({
      code: 'UNSUPPORTED_TYPE',
      message: expect.stringContaining('has 2 pages'),
    });
  });

  it.each([
    ['public/paper.pdf', '%PDF-1.7\n', 'damaged'],
    ['public/words.png', 'just words', 'sandbox_read_file'],
    ['public/noise.bin', '\0\x01\x02', 'PNG, JPEG'],
    ['public/broken.png', '\x89PNG\r\n\x1a\nbroken', 'damaged'],
    ['public/empty.png', '', 'text file'],
  ])('T3: reports what %s is and what to do', async (path, content, words) => {
    await write(path, Buffer.from(content, 'latin1'));
    expect(await tools.call('file_view', { path })).toMatchObject({
      status: 'error',
      code: 'UNSUPPORTED_TYPE',
      message: expect.stringContaining(words),
    });
  });

  it('T3, G2: names similar paths for a missing image, and refuses every path outside the project', async () => {
    expect(await tools.call('file_view', { path: 'public/logos.png' })).toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('public/logo.png'),
    });
    for (const path of waysOut)
      expect(await tools.call('file_view', { path }), path).toMatchObject({ status: 'error', code: 'INVALID_PATH' });
  });
});

describe('sandbox_screenshot', () => {
  it('T5, A16: returns its capture as an image of the requested shape, no larger than a model accepts', async () => {
    await shell(sandbox, 'rm -r node_modules');
    await sandbox.init({ template: 'film' }, { signal });
    const answer = await tools.call('sandbox_screenshot', { seek_to: 0.5, width: 720, height: 1280 });
    expect(answer).toMatchObject({ status: 'completed', output: { timestamp: 0.5, width: 720, height: 1280 } });
    const [image] = (answer.status === 'completed' && answer.images) || [];
    const { width, height } = jpeg.decode(Buffer.from(image?.base64 ?? '', 'base64'));
    expect([image?.mediaType, width, height]).toEqual(['image/jpeg', 720, 1280]);
  });

  it('46.3: captures several times in one open page, as one image with their times', async () => {
    const answer = await tools.call('sandbox_screenshot', { seek_to: [0.5, 1, 1.5, 2], width: 640, height: 360 });
    expect(answer).toMatchObject({ status: 'completed', output: { timestamp: [0.5, 1, 1.5, 2], width: 640, height: 360 } });
    const [image] = (answer.status === 'completed' && answer.images) || [];
    const { width, height, data } = jpeg.decode(Buffer.from(image?.base64 ?? '', 'base64'));
    expect([width, height]).toEqual([1280, expect.closeTo(720 + 2 * labelHeight, -1)]);
    const corner = Array.from({ length: 60 }, (_, x) => data[((height - 10) * width + x) * 4] ?? -1);
    expect([Math.max(...corner) > 220, Math.min(...corner) < 40]).toEqual([true, true]);
  });
});
