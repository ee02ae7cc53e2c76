import { x264Options } from '../../../sandbox-image/sandboxd/render/ffmpeg-args.ts';
import type { ContenderName } from './contenders/contender.ts';
import { costRatio, costTable } from './cost-table.ts';
import { quietLimit } from './quiet.ts';
import type { Result, Row } from './result.ts';
import { shippedSection } from './shipped-report.ts';
import { busyNote, markdown, none, number, order, rounds, type Table, times, titles } from './table.ts';

function detailTable(rows: readonly Row[], cell: (row: Row, name: ContenderName) => string): Table {
  const used = order.filter((name) => rows.some((row) => row.details[name]));
  return {
    head: ['scene', ...used.map((name) => titles[name])],
    rows: rows.map((row) => [row.name, ...used.map((name) => cell(row, name))]),
  };
}

export function speedTable(result: Result): Table {
  return detailTable(result.rows, (row, name) => number(row.details[name]?.framesPerSecond, 2));
}

export function cpuTable(result: Result): Table {
  return detailTable(result.rows, (row, name) => number(row.details[name]?.cpuSecondsPerFrame, 3));
}

export function stageTable(result: Result): Table {
  const kinds = ['page', 'graphics', 'browser', 'ffmpeg', 'node'] as const;
  const milliseconds = (seconds: number | undefined) => (seconds === undefined ? none : (seconds * 1000).toFixed(0));
  return {
    head: ['scene', 'renderer', 'page', 'raster, WebGL, compositing', 'browser, JPEG', 'FFmpeg', 'Node'],
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
 * Returns the maximum speed-up over each peer with the same browser and encoder, if frames cost nothing: the peer's total CPU
 * time divided by that of Koda's encoder.
 */
export function boundTable(result: Result): Table {
  const bound = (row: Row, name: ContenderName) => {
    const [peer, encoder] = [row.details[name]?.cpuSecondsPerFrame, row.details.ours?.cpuSecondsPerFrameByKind.ffmpeg];
    return peer === undefined || !encoder ? none : times(peer / encoder);
  };
  return {
    head: ['scene', 'Remotion, now', 'at most', 'HyperFrames, now', 'at most'],
    rows: result.rows.map((row) => [
      row.name,
      times(costRatio(row, 'remotion')),
      bound(row, 'remotion'),
      times(costRatio(row, 'hyperframes')),
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

/** Returns the video sizes. The naive approach encodes only a sample of the frames, so it has none. */
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
  return date === null ? '' : ` (compared later, on ${date.slice(0, 10)})`;
}

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

/** Returns the text of docs/render-benchmark.md. */
export function document(result: Result, shipped: Result | null): string {
  const { machine, film, rows } = result;
  const frames = Math.round(film.durationSeconds * film.fps);
  const size = `${film.width}×${film.height}`;
  const natures = new Map([...rows, ...(shipped?.rows ?? [])].map(({ name, nature }) => [name, nature] as const));
  const described = [...natures].map(([name, nature]) => `- \`${name}\`: ${nature}`).join('\n');
  return `# Render benchmark

This page compares what it costs Koda and three other renderers to render the same film, on the same machine and in the same run: the
naive way (a PNG screenshot per frame, then FFmpeg), [Remotion](https://www.remotion.dev) ${machine.remotion ?? ''} and
[HyperFrames](https://github.com/heygen-com/hyperframes) ${machine.hyperframes ?? ''}. It was generated by

\`\`\`sh
npm run bench -- render --publish
\`\`\`

on ${result.date.slice(0, 10)}: ${machine.cpus} cores (${machine.cpuModel}) without a GPU, ${machine.chromium}, FFmpeg ${machine.ffmpeg}, Node ${machine.node},
WebGL by ${machine.webgl}. The absolute figures apply only to that machine, so compare the ratios. [Films of
formats](film-benchmark.md) have a page of their own, with the times that people wait for.

![Frames per second of each contender on each scene](render-benchmark.png)

## With the same encoder

A film of ${film.durationSeconds} s (${frames} frames) of ${size} at ${film.fps} fps. Figures are medians of ${rounds(film.rounds)}, in which the renderers took
turns, and include browser start and page load.${busyNote(result.busy)} The first factors are each peer's CPU time per frame
relative to Koda's, which is the main figure: it is the cost, and depends least on what else the machine does. The others are
Koda's speed relative to each peer's.

${markdown(costTable(result))}

The scenes of this page:

${described}

${shippedSection(shipped)}## Cost

CPU seconds per frame, summed over all processes (${result.cpuSource === 'cgroup' ? 'as counted by the kernel for the control group' : 'from samples of /proc'}):

${markdown(cpuTable(result))}

Frames per second:

${markdown(speedTable(result))}

The CPU time by type of process, in milliseconds per frame. These are from samples, so they add up to a little less:

${markdown(stageTable(result))}

### Limits of further speed-up

All four renderers use the same Chromium, Mesa and x264, and keep all cores busy, so more speed requires less work per frame.
Better capturing saves neither the encoder's work nor, in WebGL scenes, the drawing itself. The next table divides each peer's
CPU time per frame by Koda's (“now”), and by that of Koda's encoder alone (“at most”), as if capturing cost nothing. WebGL
scenes cannot reach even that: nearly all of their “raster, WebGL, compositing” is Mesa drawing the scene, which costs every
renderer the same.

${markdown(boundTable(result))}

These changes did not help on such machines: compositing the page on llvmpipe (four times slower for DOM), a single process,
the GPU thread inside the browser, zero-copy tiles, more raster threads, and 512-bit vectors in Mesa. These did: one tile per
layer, one Mesa thread for each of two browsers, three x264 threads, assigning frames one by one, skipping WebGL draws and
captures of unchanged frames, and no compositing for canvas pages.

### The encoder’s settings

The settings of Koda’s finals had to meet a condition: compared with \`veryfast\` and CRF 18, no lower SSIM and at most 1.3 times
the bytes on each of the first eight scenes and ten films of formats. Measured on 2026-11-26 with 45 frames of each, relative to
\`veryfast\`; \`npm run bench -- encoder\` repeats it. CPU time is the encoder’s alone, for all scenes or films together, bytes
are means, and distortion is 1 - SSIM:

| setting | meets the condition | CPU, scenes | CPU, films | bytes, scenes | bytes, films | most bytes | most distortion |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| finals | 18 of 18 | 0.68 | 0.83 | 1.16 | 1.10 | 1.26 | 0.99 |
| with all partitions and lookahead | 18 of 18 | 0.74 | 0.87 | 1.11 | 1.10 | 1.21 | 0.98 |
| without partitions (\`superfast\`) | 15 of 18 | 0.63 | 0.83 | 1.23 | 1.14 | 1.32 | 1.04 |
| with less refinement (\`subme=1\`) | 13 of 18 | 0.56 | 0.73 | 1.22 | 1.11 | 1.33 | 1.17 |

Peak memory in MB (proportional set size of all processes, sampled once per second):

${markdown(memoryTable(result))}

Video size in kB, with the same encoder settings for all:

${markdown(sizeTable(result))}

## Image quality

A comparison of speed requires equal images. The first two columns are the PSNR in dB of the JPEG frames that Koda passes to the
encoder, against PNG screenshots of a page that drew no other frame before${picturesDate(result)}. The others are the PSNR of the peers’ videos
against Koda’s. Most of that difference comes from different colour conversions.

${markdown(pictureTable(result))}

## How it is measured

- Each scene is one module without a framework (\`test/bench/render/scenes\`) with \`mount\` and \`draw(seconds)\`, built
  once. All renderers load the same file, and the time excludes building and bundling.
- The films of formats are what people make most. Koda renders its own page. The others have the same texts, layout and timing as
  their users would write them (\`test/bench/render/films\`): React components with \`interpolate\` and \`spring\` for Remotion,
  HTML with a GSAP timeline for HyperFrames, and a plain page for the naive way.
- \`remotion-hello\` and \`warm-grain\` are rebuilt in the same way from examples of the peers:
  [Remotion’s template](https://github.com/remotion-dev/template-helloworld), and the graphics of the template in HyperFrames’ npm
  package (Apache-2.0), without its video and in 10 instead of 14 s. For Koda, they are a plain page with its stage contract.
- Films that each renderer has as its own are alike, but not equal in every pixel. Their videos are compared by eye (\`--keep\`), so
  the tables of quality have no figure for the peers.
- The run starts, and each round begins, only if other processes use at most ${quietLimit * 100} % of the CPU time.
- All use the same Chromium (headless shell) and encode H.264 with the settings of Koda’s finals
  (\`${x264Options({ speed: 'fast', crf: film.crf }).join(' ')}\`), yuv420p, BT.709, with ${film.workers} parallel browsers
  or tabs, one per core. Remotion uses its own FFmpeg with its documented settings, and the system’s FFmpeg, as all
  others do, with the tuned ones.
- **Koda**: the render path of the product, with no frame from a cache.
- **Naive**: two animation frames, \`page.screenshot\` as PNG to disk, FFmpeg at the end. It captures a sample of frames from
  across the film; its speed is extrapolated to the whole film, with one start. It uses Koda’s graphics settings.
- **Remotion**: \`renderMedia\` with JPEG frames and one tab per core. \`documented\` is the OpenGL renderer that its
  documentation recommends without a GPU (\`swangle\` for WebGL).
- **HyperFrames**: its producer, which streams frames from \`beginFrame\` to the encoder, with one worker per core. \`documented\` is
  software WebGL by SwiftShader. It offers only three presets, so a wrapper around FFmpeg sets the options.
- \`tuned\` gives a peer the setting that makes WebGL fast in Koda: Mesa’s llvmpipe, with the page composited in software.
  Each peer runs with both settings in the first round, and with the faster one in later rounds. The faster one counts:

${markdown(settingsTable(result))}

\`docs/render-benchmark.json\` has all figures. \`npm run bench -- render --checks\` renders every scene with one, two and three
browsers and under load, compares every frame, and measures the time that unchanged frames save.
`;
}
