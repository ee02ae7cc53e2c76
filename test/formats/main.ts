import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildGallery } from './build-gallery.ts';
import { check } from './check.ts';
import { allCombinations } from './combinations.ts';
import { openGallery } from './gallery-browser.ts';
import { checkRemarks } from './remarks.ts';
import { writeDocs } from './write-docs.ts';

const help = `npm run formats [-- options]

Shows every format in every style, aspect and content, checks the frames, and writes contact sheets.

  --format ID    only this format; may be repeated
  --match TEXT   only combinations whose name contains the text, e.g. "arabic 9:16"
  --sheets DIR   where the pictures go (default: test-results/formats)
  --remarks      only check that 40 films of formats get no remark; --match applies to their names
  --docs         only write docs/formats.md, its pictures, and those of the studio's home page
  --help         this text

A name is: format content theme style aspect. The exit code is 1 if a combination fails.`;

const { values } = parseArgs({
  options: {
    format: { type: 'string', multiple: true, default: [] },
    match: { type: 'string', default: '' },
    sheets: { type: 'string', default: 'test-results/formats' },
    remarks: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}

if (values.remarks) process.exit((await checkRemarks(values.match)) === 0 ? 0 : 1);

const words = values.match.split(' ').filter(Boolean);
const combinations = allCombinations(values.format).filter(({ name }) => words.every((word) => name.includes(word)));
const startedAt = performance.now();
const folder = await mkdtemp(join(tmpdir(), 'koda-gallery-'));
await rm(values.sheets, { recursive: true, force: true });
await mkdir(values.sheets, { recursive: true });
const gallery = await openGallery(await buildGallery(folder));

if (values.docs) {
  await writeDocs(await gallery.open(), { docs: 'docs', gallery: 'web/public/formats', ids: values.format });
  await gallery.close();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}

/** Two pages in parallel, because a page waits for its browser about half of the time. */
const lanes = 2;
let next = 0;
let failed = 0;
await Promise.all(
  Array.from({ length: lanes }, async () => {
    let page = await gallery.open();
    for (;;) {
      const combination = combinations[next++];
      if (combination === undefined) return;
      let problems: readonly string[];
      try {
        const verdict = await check(page, combination);
        problems = verdict.problems;
        await writeFile(join(values.sheets, `${combination.name.replace(/[ :]/g, '_')}.png`), verdict.picture);
      } catch (error) {
        // A page that hangs fails only its own combination.
        problems = [`it could not be shown: ${String(error).split('\n')[0]}`];
        await page.close();
        page = await gallery.open();
      }
      if (problems.length > 0) {
        failed += 1;
        console.log(`${combination.name}\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
      }
    }
  }),
);
await gallery.close();
await rm(folder, { recursive: true, force: true });
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(
  `${combinations.length - failed} of ${combinations.length} combinations pass (${minutes} min); pictures in ${values.sheets}`,
);
process.exitCode = failed === 0 ? 0 : 1;
