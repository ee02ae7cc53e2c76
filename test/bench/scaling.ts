// npm run bench -- scaling: measures how the time to read untrusted text grows with its length.

import { parseSurface } from '#contract/surface/messages.ts';
import { plainText } from '../../sandbox-image/sandboxd/shells/plain-text.ts';
import { planFilm } from '../../server/kinds/film/author/plan-film.ts';
import { maxCharacters } from '../../server/kinds/film/author/read/read.ts';
import { svgProblem } from '../../server/storage/svg-check.ts';
import { blockedReason } from '../../server/tools/blocked-commands.ts';
import { repeatedPieces, repeatedTo } from '../fixtures/repeated-pieces.ts';
import { median, significant } from './render/statistics.ts';
import { readTimingOptions, writeResult } from './timing/timing.ts';

const helpText = `npm run bench -- scaling [options]

CPU time to read text that is made to be slow, at a quarter of its maximum length and at the maximum. Four times the text
takes four times as long if the time grows in proportion. The checks of commands, which are short, may take 30 times as
long, all others ten times.

  --rounds N         how often each is measured; medians count (5)
  --json FILE        write the result there as JSON
  --help             this text
`;

const options = readTimingOptions(helpText, { max: 100, default: 5 });

interface Reader {
  readonly name: string;
  readonly maxLength: number;
  /**
   * Maximum ratio. Reading four times the text takes 4 times as long if the time is linear, 16 times if quadratic, and 64 times
   * if cubic.
   */
  readonly maxRatio: number;
  readonly pieces: Readonly<Record<string, string>>;
  readonly read: (text: string) => unknown;
}

const svg = (inner: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`);
const programs = ['rm', 'chmod', 'chown', 'dd', 'curl', 'sudo', 'mkfs'];
const readers: Reader[] = [
  {
    name: 'plan of',
    maxLength: maxCharacters,
    maxRatio: 10,
    pieces: repeatedPieces,
    read: (prompt) =>
      planFilm({ prompt, hints: { style: null, aspect: null, durationSeconds: null }, answers: [], assets: [], seed: 1 }),
  },
  {
    name: 'check of an SVG with',
    maxLength: 1_000_000,
    maxRatio: 10,
    pieces: { 'url(': 'url(', spaces: ' ', ampersands: '&', 'open tags': '<g>', quotes: '"' },
    read: (filler) => {
      for (const inner of [`<style>${filler}</style>`, `<g style="${filler}"/>`, `<g ${filler}/>`]) svgProblem(svg(inner));
    },
  },
  {
    name: 'check of a command with',
    maxLength: 9_990,
    maxRatio: 30,
    pieces: Object.fromEntries(
      programs.flatMap((program) => [' ', ' -', ' -x ', '- '].map((joint) => [program + joint, program + joint])),
    ),
    read: (command) => {
      for (const end of ['', ' x', '/x']) blockedReason(command + end);
    },
  },
  {
    name: 'text of a terminal with',
    maxLength: 256 * 1024,
    maxRatio: 10,
    pieces: { 'erased lines': 'xxxxxxxx\x1b[1K', 'cleared screens': '\n\n\x1b[2J', strings: '\x1b]', sequences: '\x1b[;' },
    read: (text) => plainText(Buffer.from(text)),
  },
  {
    name: 'text of a terminal with one sequence of',
    maxLength: 256 * 1024,
    maxRatio: 10,
    pieces: { parameters: '1;' },
    read: (text) => plainText(Buffer.from(`\x1b[${text}`)),
  },
  {
    name: 'parse of a surface of',
    maxLength: 480_000,
    maxRatio: 10,
    pieces: { brackets: '[', spaces: ' ', tags: '<a ' },
    read: (text) => [parseSurface(text), parseSurface(`["${text}"]`)],
  },
];

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const rows = readers.flatMap(({ name, maxLength, maxRatio, pieces, read }) =>
  Object.entries(pieces).map(([piece, text]) => {
    const [part, whole] = [repeatedTo(text, maxLength / 4), repeatedTo(text, maxLength)];
    // Repeats short runs, because the CPU clock has a coarse resolution.
    read(whole);
    const repeats = Math.ceil(
      20 /
        Math.max(
          0.5,
          cpuMs(() => read(whole)),
        ),
    );
    const series = (input: string) =>
      median(
        Array.from({ length: options.rounds }, () =>
          cpuMs(() => {
            for (let repeat = 0; repeat < repeats; repeat += 1) read(input);
          }),
        ),
      ) / repeats;
    const [quarter, ours] = [significant(series(part)), significant(series(whole))];
    const ratios = { quarter: significant(ours / Math.max(quarter, 0.01)) };
    console.log(`${ratios.quarter > maxRatio ? 'SLOW ' : ''}${name} ${piece}: ${quarter} ms, ${ours} ms, × ${ratios.quarter}`);
    return { name: `${name} ${piece}`, unit: 'ms' as const, goal: maxRatio, ours, peers: { quarter }, ratios };
  }),
);
if (options.json !== undefined) await writeResult(options.json, 'scaling', rows);
if (rows.some(({ goal, ratios }) => ratios.quarter > goal)) process.exitCode = 1;
