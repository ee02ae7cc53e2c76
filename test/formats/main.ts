import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Style, styleSchema } from '#kinds/film/contract/film.ts';
import { buildGallery } from './build-gallery.ts';
import { check } from './check.ts';
import { allCombinations } from './combinations.ts';
import { checkDirect } from './direct.ts';
import { openGallery } from './gallery-browser.ts';
import { checkRemarks } from './remarks.ts';
import { writeDocs } from './write-docs.ts';

const help = `npm run formats [-- options]

Shows every format in every style, aspect and content, checks the frames, and writes contact sheets.

  --format ID    only this format; may be repeated
  --match TEXT   only combinations whose name contains the text, e.g. "arabic 9:16"
  --sheets DIR   where the pictures go (default: test-results/formats)
  --remarks      only check that 40 films of formats get no remark; --match applies to their names
  --direct       only compare the frames that pages draw themselves with captures of the pages, in all themes
  --step S       with --direct: compare a frame every S seconds instead of three; 0.0333 is every frame at 30 fps
  --docs         only write docs/formats.md, its pictures, and those of the studio's home page
  --help         this text

A name is: format content theme style aspect. The exit code is 1 if a combination fails. A combination also fails if frames
change after everything has entered, unless the motion is the point of its format (\`restlessFormats\` in the catalogue). The
report ends with the share of each example's frames that repeat the one before, which a render reuses.`;

const { values } = parseArgs({
  options: {
    format: { type: 'string', multiple: true, default: [] },
    match: { type: 'string', default: '' },
    sheets: { type: 'string', default: 'test-results/formats' },
    remarks: { type: 'boolean', default: false },
    direct: { type: 'boolean', default: false },
    step: { type: 'string' },
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
if (values.direct) {
  const stepSeconds = values.step === undefined ? null : Number(values.step);
  if (stepSeconds !== null && !(stepSeconds > 0)) throw new Error('--step takes a number of seconds above 0.');
  const failures = await checkDirect(await buildGallery(folder), combinations, stepSeconds);
  await rm(folder, { recursive: true, force: true });
  process.exit(failures === 0 ? 0 : 1);
}

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
const reusedShares: { readonly format: string; readonly style: Style; readonly share: number }[] = [];
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
        const { format, content, aspect, style } = combination;
        const verdict = await check(page, combination, content === 'example' && aspect === '16:9');
        problems = verdict.problems;
        if (verdict.reused !== null) reusedShares.push({ format: format.id, style, share: verdict.reused });
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
printReused();
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(
  `${combinations.length - failed} of ${combinations.length} combinations pass (${minutes} min); pictures in ${values.sheets}`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** Prints, per format and style, the share of the example's frames that a render reuses, as a mean of the themes. */
function printReused(): void {
  if (reusedShares.length === 0) return;
  console.log(`\n${'frames reused'.padEnd(16)}${styleSchema.options.map((style) => style.padStart(10)).join('')}`);
  for (const id of new Set(reusedShares.map(({ format }) => format))) {
    const columns = styleSchema.options.map((style) => {
      const shares = reusedShares.filter((one) => one.format === id && one.style === style).map(({ share }) => share);
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      return (shares.length === 0 ? '-' : `${Math.round(mean * 100)} %`).padStart(10);
    });
    console.log(`${id.padEnd(16)}${columns.join('')}`);
  }
  console.log('');
}
