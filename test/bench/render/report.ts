import type { ContenderName } from './contenders/contender.ts';
import type { Result, Row } from './result.ts';

/** Formats a result as text: tables for the terminal, and the document. */

export const titles: Readonly<Record<ContenderName, string>> = {
  ours: 'Koda',
  naive: 'naive',
  remotion: 'Remotion',
  hyperframes: 'HyperFrames',
};
const order: readonly ContenderName[] = ['ours', 'naive', 'remotion', 'hyperframes'];
const peers = order.filter((name) => name !== 'ours');

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const none = '–';

export function number(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? none : value.toFixed(digits);
}

function times(value: number | undefined): string {
  return value === undefined ? none : `${value.toFixed(2)}×`;
}

/** Frames per second of all contenders, and how many times faster Koda is. */
export function speedTable(result: Result): Table {
  const { rows, medianRatios, lowestRatios } = result;
  const used = peers.filter((name) => rows.some((row) => row.peers[name] !== undefined));
  const blank = ['', ...used.map(() => '')];
  return {
    head: ['scene', titles.ours, ...used.map((name) => titles[name]), ...used.map((name) => `× ${titles[name]}`)],
    rows: [
      ...rows.map((row) => [
        row.name,
        number(row.ours, 2),
        ...used.map((name) => number(row.peers[name], 2)),
        ...used.map((name) => times(row.ratios[name])),
      ]),
      ['median', ...blank, ...used.map((name) => times(medianRatios[name]))],
      ['lowest', ...blank, ...used.map((name) => times(lowestRatios[name]))],
    ],
  };
}

/** One figure of every contender per scene. */
function detailTable(rows: readonly Row[], cell: (row: Row, name: ContenderName) => string): Table {
  const used = order.filter((name) => rows.some((row) => row.details[name]));
  return {
    head: ['scene', ...used.map((name) => titles[name])],
    rows: rows.map((row) => [row.name, ...used.map((name) => cell(row, name))]),
  };
}

export function cpuTable(result: Result): Table {
  return detailTable(result.rows, (row, name) => number(row.details[name]?.cpuSecondsPerFrame, 3));
}

/** Milliseconds of processor time per frame, by kind of process. */
export function stageTable(result: Result): Table {
  const kinds = ['page', 'graphics', 'browser', 'ffmpeg', 'node'] as const;
  const milliseconds = (seconds: number | undefined) => (seconds === undefined ? none : (seconds * 1000).toFixed(0));
  return {
    head: ['scene', 'by', 'page', 'raster, WebGL, compositing', 'browser, JPEG', 'FFmpeg', 'Node'],
    rows: result.rows.flatMap((row) =>
      order.flatMap((name) => {
        const measured = row.details[name];
        return measured
          ? [[row.name, titles[name], ...kinds.map((kind) => milliseconds(measured.cpuSecondsPerFrameByKind[kind]))]]
          : [];
      }),
    ),
  };
}

/**
 * Upper bound of the speed-up over a peer for a renderer with the same browser and encoder that captures frames for free: the
 * peer's total cost divided by the cost of Koda's encoder alone.
 */
export function boundTable(result: Result): Table {
  const bound = (row: Row, name: ContenderName) => {
    const [peer, encoder] = [row.details[name]?.cpuSecondsPerFrame, row.details.ours?.cpuSecondsPerFrameByKind.ffmpeg];
    return peer === undefined || !encoder ? none : times(peer / encoder);
  };
  const now = (row: Row, name: ContenderName) => {
    const [peer, own] = [row.details[name]?.cpuSecondsPerFrame, row.details.ours?.cpuSecondsPerFrame];
    return peer === undefined || !own ? none : times(peer / own);
  };
  return {
    head: ['scene', 'Remotion, now', 'at most', 'HyperFrames, now', 'at most'],
    rows: result.rows.map((row) => [
      row.name,
      now(row, 'remotion'),
      bound(row, 'remotion'),
      now(row, 'hyperframes'),
      bound(row, 'hyperframes'),
    ]),
  };
}

export function memoryTable(result: Result): Table {
  return detailTable(result.rows, (row, name) => {
    const bytes = row.details[name]?.peakMemoryBytes;
    return bytes === undefined ? none : (bytes / 1e6).toFixed(0);
  });
}

/** The naive approach renders only a sample of the frames, so its size is not comparable. */
export function sizeTable(result: Result): Table {
  return detailTable(result.rows, (row, name) => {
    const bytes = name === 'naive' ? undefined : row.details[name]?.sizeBytes;
    return bytes === undefined ? none : (bytes / 1e3).toFixed(0);
  });
}

export function pictureTable(result: Result): Table {
  return {
    head: ['scene', 'frames before encoding, lowest', 'mean', 'Remotion’s video', 'HyperFrames’ video'],
    rows: result.rows.map((row) => [
      row.name,
      number(row.capturePsnr?.lowestDb, 1),
      number(row.capturePsnr?.meanDb, 1),
      number(row.details.remotion?.psnrToOursDb, 1),
      number(row.details.hyperframes?.psnrToOursDb, 1),
    ]),
  };
}

function picturesDate({ picturesDate: date }: Result): string {
  return date === null ? '' : ` (compared on ${date.slice(0, 10)}, after the rest)`;
}

/** The setting that counts for each peer, and the speed of the other one. */
export function settingsTable(result: Result): Table {
  const cell = (row: Row, name: 'remotion' | 'hyperframes'): string => {
    const measured = row.details[name];
    if (!measured) return none;
    const other = measured.slowerVariant;
    const slower = other ? `; ${other.variant} ${other.framesPerSecond.toFixed(2)}` : '';
    return `${measured.variant} ${measured.framesPerSecond.toFixed(2)}${slower}`;
  };
  return {
    head: ['scene', titles.remotion, titles.hyperframes],
    rows: result.rows.map((row) => [row.name, cell(row, 'remotion'), cell(row, 'hyperframes')]),
  };
}

/** Formats columns as wide as their widest cell; figures are right-aligned. */
export function plainText({ head, rows }: Table): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}

export function markdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

export function rounds(count: number): string {
  return `${count} ${count === 1 ? 'round' : 'rounds'}`;
}

/** Returns the whole text of docs/render-benchmark.md. */
export function document(result: Result): string {
  const { machine, film, rows } = result;
  const frames = Math.round(film.durationSeconds * film.fps);
  const size = `${film.width}×${film.height}`;
  const natures = rows.map((row) => `- \`${row.name}\`: ${row.nature}`).join('\n');
  return `# Render benchmark

How fast Koda renders a film, beside three other ways of rendering the same film on the same machine in the same run:
the naive way (a PNG screenshot for each frame, then FFmpeg), [Remotion](https://www.remotion.dev) ${machine.remotion ?? ''}
and [HyperFrames](https://github.com/heygen-com/hyperframes) ${machine.hyperframes ?? ''}. Made by

\`\`\`sh
npm run bench -- render --publish
\`\`\`

on ${result.date.slice(0, 10)}: ${machine.cpus} cores (${machine.cpuModel}) without a GPU, ${machine.chromium}, FFmpeg ${machine.ffmpeg}, Node ${machine.node},
WebGL by ${machine.webgl}. Absolute figures belong to that machine; the ratios are what counts.

![Frames per second of each contender on each scene](render-benchmark.png)

## Speed

Frames per second for a film of ${film.durationSeconds} s (${frames} frames) of ${size} at ${film.fps} frames a second; medians of ${rounds(film.rounds)} in which the
contenders took turns. Browser start and page load are part of the time.

${markdown(speedTable(result))}

The scenes:

${natures}

## Cost

Processor seconds for each frame, of all processes together (${result.cpuSource === 'cgroup' ? 'the kernel’s own sum over a control group' : 'summed over samples of /proc'}):

${markdown(cpuTable(result))}

Where it goes, in milliseconds for each frame (of samples, so a little less than the above):

${markdown(stageTable(result))}

### What stands between this and twice the speed of the peers

All four use the same Chromium, the same Mesa and the same x264, and keep the cores busy from beginning to end, so only
less work for a frame is more speed. What cannot be saved by better capturing is the encoder, and in the WebGL scenes
the drawing itself. The next table compares processor time for each frame: the peer's over Koda's now, and over that
of Koda's encoder alone, as if pictures cost nothing at all. For the WebGL scenes even that is out of reach, since
nearly all of their "raster, WebGL, compositing" is Mesa drawing the scene, which is the same for everybody.

${markdown(boundTable(result))}

What was tried and did not help on these machines: compositing the page on llvmpipe (four times slower for DOM),
one process for everything, the GPU thread inside the browser, zero-copy tiles, more raster threads, 512-bit vectors in
Mesa. What did: a layer as one tile, one Mesa thread for each of two browsers, three threads for x264, frames that are
handed out one by one, still frames that are neither drawn by WebGL nor pictured again, canvas pages that are not composited.

Peak memory in MB (proportional set size of all processes, sampled once a second):

${markdown(memoryTable(result))}

Size of the video in kB, the same CRF for all:

${markdown(sizeTable(result))}

## Pictures

The same picture is the condition of every comparison. PSNR in dB: of the JPEG frames that Koda gives to the encoder
against PNG screenshots, each of a page that drew nothing else before${picturesDate(result)}, and of the peers’ videos against Koda’s. Peers convert colours in their own
way, which is most of what the latter shows.

${markdown(pictureTable(result))}

## How it is measured

- Each scene is one module without a framework (\`test/bench/render/scenes\`) with \`mount\` and \`draw(seconds)\`, built
  once. All contenders load that same file; building and bundling count for nobody.
- All use the same Chromium (headless shell) and encode H.264 with CRF ${film.crf}, preset \`${film.preset}\`, yuv420p, BT.709, with ${film.workers} browsers or
  tabs at work, which is the number of cores. Remotion brings an FFmpeg of its own, which it has in its documented
  setting; in the tuned one it has the system’s, as all others.
- **Koda**: the render path of the product, without any frame from a cache.
- **Naive**: two animation frames, \`page.screenshot\` as PNG to disk, FFmpeg in the end. It takes a sample of frames spread
  over the film; its speed is that of the whole film, with the start counted once. It has the graphics settings of Koda.
- **Remotion**: \`renderMedia\` with JPEG frames and one tab a core. \`documented\` is the OpenGL renderer that its
  documentation recommends without a GPU (\`swangle\` for WebGL).
- **HyperFrames**: its producer, frames by \`beginFrame\` streamed to the encoder, one worker a core. \`documented\` is software
  WebGL by SwiftShader. It offers no preset \`veryfast\`, so a wrapper around FFmpeg sets it.
- \`tuned\` gives a peer what makes WebGL fast in Koda: Mesa’s llvmpipe, with the page composited in software.
  Every peer runs with both settings in the first round, and with the faster one after that. It is judged by the faster:

${markdown(settingsTable(result))}

All figures are in \`docs/render-benchmark.json\`. \`npm run bench -- render --checks\` renders every scene with one, two and three
browsers and under load and compares every frame, and measures what stillness saves.
`;
}
