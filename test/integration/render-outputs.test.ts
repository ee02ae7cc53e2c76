import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { renderFiles } from '#contract/render.ts';
import type { RenderJob, StageInfo } from '#contract/sandbox/answers.ts';
import { findAudioInputs, planMix } from '../../sandbox-image/sandboxd/render/audio-mix.ts';
import { runFfmpeg } from '../../sandbox-image/sandboxd/render/encode.ts';
import { frameFileName } from '../../sandbox-image/sandboxd/render/outputs.ts';
import { ZipWriter } from '../../sandbox-image/sandboxd/render/zip.ts';
import { clickFile, constantFile, decodeSound, findClicks, sampleRate } from '../fixtures/clicks.ts';
import { decodePictures, momentOf, outputPage, pixel, places, putFile, size } from '../fixtures/output-page.ts';
import {
  markedTemporaryFolder,
  remainingProcesses,
  type StageWorkspace,
  stageJob,
  stageWorkspace,
} from '../fixtures/stage-workspace.ts';

const run = promisify(execFile);

const temporary = markedTemporaryFolder({ per: 'file' });

type Done = Awaited<ReturnType<StageWorkspace['renderAgain']>>;

/** Renders, and returns the measured file and its path. Reuses earlier renders' frames. */
async function render(page: StageWorkspace, job: Partial<RenderJob>): Promise<{ done: Done; path: string }> {
  const done = await page.renderAgain({ durationSeconds: 1, ...job });
  return { done, path: join(page.folder, '.koda/renders', stageJob.id, renderFiles[job.format ?? 'mp4'].name) };
}

/** Only libvpx decodes VP9's alpha. */
const vp9Alpha = ['-c:v', 'libvpx-vp9'];

async function extract(zip: string): Promise<{ names: string[]; pictures: Buffer[] }> {
  const { stdout } = await run('unzip', ['-Z1', zip]);
  const names = stdout.trim().split('\n');
  await run('unzip', ['-q', '-o', zip, '-d', dirname(zip)]);
  const pictures = await Promise.all(names.map((name) => readFile(join(dirname(zip), name))));
  for (const name of names) await unlink(join(dirname(zip), name));
  return { names, pictures };
}

async function probe(path: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', ...args, path]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Returns the SSIM of all planes of two videos, 0 to 1. */
async function ssim(path: string, reference: string): Promise<number> {
  const { stderr } = await run('ffmpeg', ['-i', path, '-i', reference, '-lavfi', 'ssim', '-f', 'null', '-']);
  const all = /SSIM .*All:([\d.]+)/.exec(stderr)?.[1];
  if (all === undefined) throw new Error(`FFmpeg compared nothing: ${stderr.slice(-500)}`);
  return Number(all);
}

function track(values: Partial<StageInfo['audio'][number]>): StageInfo['audio'][number] {
  const silent = { startSeconds: 0, offsetSeconds: 0, durationSeconds: null, gainDb: 0, fadeInSeconds: 0, fadeOutSeconds: 0 };
  return { src: '/clicks.wav', ...silent, ...values };
}

const scenes = [
  { id: 'one', title: 'The first = best; #1', startSeconds: 0, durationSeconds: 0.7 },
  { id: 'two', title: '', startSeconds: 0.6, durationSeconds: 1.4 },
];

describe('transparent outputs', () => {
  const expectAlpha = (picture: Buffer, tolerance: number) => {
    const near = (place: keyof typeof places, wanted: readonly number[]) => {
      const found = pixel(picture, places[place]);
      for (const [channel, value] of wanted.entries())
        expect(Math.abs((found[channel] ?? -99) - value), `${place}: ${found}`).toBeLessThanOrEqual(tolerance);
    };
    near('green', [0, 255, 0, 255]);
    near('halfRed', [255, 0, 0, 128]);
    expect(pixel(picture, places.empty)[3]).toBe(0);
  };

  it('X9: ProRes 4444 keeps the alpha of every pixel, and is tagged as BT.709', async () => {
    await using page = await outputPage();
    const { done, path } = await render(page, { format: 'mov', transparent: true });
    expect(done).toMatchObject({ codec: 'prores', frames: 30, durationSeconds: 1, fps: 30, audio: null });
    expect(done.pixelFormat).toMatch(/^yuva444p/);
    expect(done.colour).toMatch(/^(tv|unknown) bt709 bt709 bt709$/);
    expect(await probe(path, '-show_entries', 'stream=profile,codec_tag_string')).toMatchObject({
      streams: [{ profile: '4444', codec_tag_string: 'ap4h' }],
    });
    // ISO/IEC 23001-8 numbers: primaries, transfer and matrix of BT.709.
    expect((await readFile(path)).includes(Buffer.from('colrnclc\0\x01\0\x01\0\x01', 'latin1'))).toBe(true);
    const pictures = await decodePictures(path);
    expect(pictures.map(momentOf)).toEqual(Array.from({ length: 30 }, (_, index) => expect.closeTo(index / 30, 5)));
    expectAlpha(pictures[0] as Buffer, 2);
    expectAlpha(pictures[29] as Buffer, 2);
  });

  it('X9: WebM keeps alpha in VP9 and declares it, even if it is joined from several segments', async () => {
    await using page = await outputPage();
    // Eleven seconds are two segments, but few frames at two per second.
    const { done, path } = await render(page, { format: 'webm', transparent: true, fps: 2, durationSeconds: 11 });
    expect(done).toMatchObject({ codec: 'vp9', pixelFormat: 'yuva420p', frames: 22, colour: 'tv bt709 bt709 bt709' });
    // Matroska's AlphaMode element (53 C0) with the value 1, which browsers require.
    expect((await readFile(path)).includes(Buffer.from([0x53, 0xc0, 0x81, 0x01]))).toBe(true);
    const pictures = await decodePictures(path, vp9Alpha);
    expect(pictures).toHaveLength(22);
    for (const [index, picture] of pictures.entries()) expect(momentOf(picture)).toBeCloseTo(index / 2, 5);
    expectAlpha(pictures[0] as Buffer, 3);
    expectAlpha(pictures[21] as Buffer, 3);
  });

  it('X9: PNG files hold the exact pixels, as a sequence and as a still', async () => {
    await using page = await outputPage();
    const sequence = await render(page, { format: 'png-sequence', transparent: true });
    expect(sequence.done).toMatchObject({ codec: 'png', pixelFormat: 'rgba', frames: 30, fps: 30, durationSeconds: 1, ...size });
    const { names, pictures } = await extract(sequence.path);
    expect(names).toEqual(Array.from({ length: 30 }, (_, index) => `frame-${String(index + 1).padStart(5, '0')}.png`));
    const decoded = pictures.map((picture) => PNG.sync.read(picture).data);
    for (const [index, picture] of decoded.entries()) expect(momentOf(picture)).toBeCloseTo(index / 30, 5);
    expectAlpha(decoded[0] as Buffer, 0);

    const still = await render(page, { format: 'png', transparent: true, range: { fromFrame: 12, toFrame: 13 } });
    expect(still.done).toMatchObject({ codec: 'png', pixelFormat: 'rgba', frames: 1, durationSeconds: 0, ...size });
    expect(await readFile(still.path)).toEqual(pictures[12]);
  });

  it('X9: a sequence may have more files than a plain zip can count', async () => {
    const path = join(temporary.path, 'many.zip');
    {
      await using zip = await ZipWriter.create(path);
      for (let index = 0; index < 70_000; index++) await zip.add(frameFileName(index), Buffer.from([index & 0xff]));
      await zip.finish();
    }
    const { stdout } = await run('unzip', ['-tq', path]);
    expect(stdout).toMatch(/No errors detected/);
    expect((await run('unzip', ['-Z1', path, 'frame-7*.png'])).stdout.trim()).toBe('frame-70000.png');
  });

  it('X9: a GIF has opaque and transparent pixels', async () => {
    await using page = await outputPage();
    const { path } = await render(page, { format: 'gif', transparent: true });
    for (const picture of await decodePictures(path)) {
      expect(pixel(picture, places.green)[3]).toBe(255);
      expect(pixel(picture, places.empty)[3]).toBe(0);
      expect(pixel(picture, places.halfRed)).toEqual([255, 0, 0, 255]);
    }
  });

  it('X9: the thumbnail of a transparent film has a grey background', async () => {
    await using page = await outputPage();
    const { path } = await render(page, { format: 'png', transparent: true });
    const [thumbnail] = await decodePictures(join(dirname(path), 'thumbnail.jpg'));
    const near = (place: keyof typeof places, wanted: readonly number[]) =>
      expect(pixel(thumbnail as Buffer, places[place]).slice(0, 3)).toEqual(wanted.map((value) => expect.closeTo(value, -1)));
    near('empty', [128, 128, 128]);
    near('halfRed', [191, 64, 64]);
  });

  it('X9: refuses transparency before the start if the format does not support it', async () => {
    await using page = await outputPage();
    for (const format of ['mp4', 'jpeg'] as const)
      await expect(render(page, { format, transparent: true })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('GIF', () => {
  /** Reads a GIF89a's delays in hundredths of a second from its graphic control extensions, and its loop count. */
  function readGif(bytes: Buffer): { delays: number[]; loops: boolean } {
    const delays: number[] = [];
    for (
      let at = bytes.indexOf(Buffer.from([0x21, 0xf9, 0x04]));
      at >= 0;
      at = bytes.indexOf(Buffer.from([0x21, 0xf9, 0x04]), at + 1)
    ) {
      if (bytes[at + 7] === 0) delays.push(bytes.readUInt16LE(at + 4));
    }
    return { delays, loops: bytes.includes(Buffer.from('NETSCAPE2.0\x03\x01\x00\x00\x00', 'latin1')) };
  }

  it.each([
    [30, 3, 33],
    [60, 2, 50],
    [25, 4, 25],
  ])(
    'X9: at %i fps every picture is shown for %i hundredths, and shows the moment at which it is',
    async (fps, delay, frames) => {
      await using page = await outputPage();
      const { done, path } = await render(page, { format: 'gif', fps });
      expect(done).toMatchObject({ codec: 'gif', frames, audio: null, colour: null });
      expect(done.durationSeconds).toBeCloseTo((frames * delay) / 100, 5);
      const { delays, loops } = readGif(await readFile(path));
      expect(delays).toEqual(Array.from({ length: frames }, () => delay));
      expect(loops).toBe(true);
      const pictures = await decodePictures(path);
      expect(pictures).toHaveLength(frames);
      for (const [index, picture] of pictures.entries()) expect(momentOf(picture)).toBeCloseTo((index * delay) / 100, 5);
    },
  );

  it('X9: the palette of a GIF suits the film: flat colours are exact and gradients close', async () => {
    await using page = await outputPage();
    const { path } = await render(page, { format: 'gif', fps: 10 });
    const gif = await decodePictures(path);
    const { path: zip } = await render(page, { format: 'png-sequence', fps: 10 });
    const { pictures } = await extract(zip);
    for (const [index, picture] of gif.entries()) {
      const truth = PNG.sync.read(pictures[index] as Buffer).data;
      const off = (place: readonly [number, number]) =>
        Math.max(...pixel(picture, place).map((value, channel) => Math.abs(value - (pixel(truth, place)[channel] ?? 0))));
      expect(off(places.green)).toBeLessThanOrEqual(2);
      expect(off(places.empty)).toBeLessThanOrEqual(2);
      let squares = 0;
      for (let at = 0; at < truth.length; at++) squares += ((picture[at] ?? 0) - (truth[at] ?? 0)) ** 2;
      // FFmpeg's fixed palette reaches 24 dB here. Most of the loss comes from the JPEG's subsampled colours.
      expect(10 * Math.log10(255 ** 2 / (squares / truth.length))).toBeGreaterThan(36);
    }
  });
});

describe('sound', () => {
  const clicksAtSeconds = [0.1, 0.4, 0.85];
  const formats = [
    ['mp4', 'aac'],
    ['webm', 'opus'],
    ['mov', 'pcm_s24le'],
  ] as const;

  it.each(formats)('X9: %s: places clicks at the exact sample, in the film and in a range of it', async (format, codec) => {
    const audio = [track({ startSeconds: 0.25, offsetSeconds: 0.05 })];
    await using page = await outputPage({ info: { audio } });
    // The file has 44.1 kHz, because resampling must not move a click.
    await putFile(page, 'public/clicks.wav', clickFile({ durationSeconds: 1, clicksAtSeconds, sampleRate: 44_100 }));
    // The clicks are at 0.3, 0.6 and 1.05 s of the film.
    const whole = await render(page, { format, durationSeconds: 1.5 });
    expect(whole.done.audio).toMatchObject({ codec, sampleRate, channels: 2 });
    expect(whole.done.audio?.durationSeconds).toBeCloseTo(1.5, codec === 'aac' ? 1 : 4);
    const near = (seconds: number) => expect.closeTo(seconds * sampleRate, -0.5);
    expect(findClicks(await decodeSound(whole.path))).toEqual([near(0.3), near(0.6), near(1.05)]);

    const part = await render(page, { format, durationSeconds: 1.5, range: { fromFrame: 15, toFrame: 39 } });
    expect(part.done).toMatchObject({ frames: 24, durationSeconds: expect.closeTo(0.8, 2) });
    expect(findClicks(await decodeSound(part.path))).toEqual([near(0.1), near(0.55)]);
    expect((await decodePictures(part.path)).map(momentOf)[0]).toBeCloseTo(0.5, 5);
  });

  it.each([
    ['m4a', 'aac'],
    ['mp3', 'libmp3lame'],
    ['ogg', 'libvorbis'],
    ['opus', 'libopus'],
    ['flac', 'flac'],
  ])(
    'X9: what encoders put before the first sample of %s is not heard, so it is in its place as well',
    async (extension, codec) => {
      const folder = await mkdtemp(join(temporary.path, 'sounds-'));
      const [wav, packed] = [join(folder, 'clicks.wav'), join(folder, `clicks.${extension}`)];
      await writeFile(wav, clickFile({ durationSeconds: 1, clicksAtSeconds }));
      await run('ffmpeg', ['-v', 'error', '-i', wav, '-c:a', codec, packed]);
      const signal = new AbortController().signal;
      const sounds = await findAudioInputs([track({ src: `/clicks.${extension}`, startSeconds: 0.5 })], {
        roots: [folder],
        ffprobePath: 'ffprobe',
        signal,
      });
      const mix = planMix(sounds, { startSeconds: 0, durationSeconds: 2, filmSeconds: 2 }, 0);
      const output = join(folder, 'mix.mov');
      const outputOptions = ['-filter_complex', mix?.graph ?? '', '-map', '[sound]', '-c:a', 'pcm_s24le'];
      await runFfmpeg({ inputs: mix?.inputs ?? [], outputOptions, output }, { ffmpegPath: 'ffmpeg', signal, onFrames: null });
      const wanted = clicksAtSeconds.map((seconds) => expect.closeTo((0.5 + seconds) * sampleRate, -0.5));
      expect(findClicks(await decodeSound(output))).toEqual(wanted);
    },
  );

  it('X9: a final render of several segments from a production build is in sync after the joint', async () => {
    const info = { durationSeconds: 11, scenes: [{ ...scenes[0], id: 'all', durationSeconds: 11 }] as StageInfo['scenes'] };
    await using page = await outputPage({ info: { ...info, audio: [track({ startSeconds: 9.8 })] } });
    await putFile(page, 'public/clicks.wav', clickFile({ durationSeconds: 1, clicksAtSeconds }));
    const { done, path } = await render(page, { source: 'build', fps: 2, durationSeconds: 11 });
    expect(done).toMatchObject({ frames: 22, durationSeconds: 11, chapters: 0, colour: 'tv bt709 bt709 bt709' });
    expect((await decodePictures(path)).map(momentOf)).toEqual(Array.from({ length: 22 }, (_, index) => index / 2));
    const wanted = clicksAtSeconds.map((seconds) => expect.closeTo((9.8 + seconds) * sampleRate, -0.5));
    expect(findClicks(await decodeSound(path))).toEqual(wanted);
  });

  it('X9: applies gain, fades, length and several tracks, and matches the length of the video to the sample', async () => {
    const audio = [
      track({ src: '/music/half.wav', fadeInSeconds: 0.2, durationSeconds: 0.6, fadeOutSeconds: 0.2 }),
      track({ src: '/music/half.wav', startSeconds: 0.8, gainDb: -6 }),
      track({ src: '/music/half.wav', startSeconds: 0.9, gainDb: -12 }),
    ];
    await using page = await outputPage({ info: { audio, durationSeconds: 1 } });
    await putFile(page, 'public/music/half.wav', constantFile(3, 0.5));
    const { path } = await render(page, { format: 'mov' });
    const sound = await decodeSound(path);
    expect(sound.length).toBe(sampleRate);
    const at = (seconds: number) => sound[Math.round(seconds * sampleRate)];
    expect([at(0), at(0.1), at(0.3), at(0.5), at(0.7)]).toEqual([0, 0.25, 0.5, 0.25, 0].map((value) => expect.closeTo(value, 2)));
    // −6 dB is 0.501, −12 dB 0.251.
    expect(at(0.85)).toBeCloseTo(0.2506, 3);
    expect(at(0.95)).toBeCloseTo(0.2506 + 0.1256, 3);
    const part = await render(page, { format: 'mov', range: { fromFrame: 3, toFrame: 27 } });
    const within = await decodeSound(part.path);
    // A range sounds as it does within the film, not as if its tracks restarted.
    expect(within.length).toBe(0.8 * sampleRate);
    expect(Buffer.from(within.buffer)).toEqual(Buffer.from(sound.slice(0.1 * sampleRate, 0.9 * sampleRate).buffer));
  });

  it.each(['mp4', 'webm', 'mov'] as const)('F10: %s: one frame with sound lasts one frame', async (format) => {
    await using page = await outputPage({ info: { audio: [track({})] } });
    await putFile(page, 'public/clicks.wav', clickFile({ durationSeconds: 1, clicksAtSeconds, sampleRate }));
    for (const fps of [24, 30, 60]) {
      const { done, path } = await render(page, { format, fps, range: { fromFrame: 2, toFrame: 3 } });
      expect(done).toMatchObject({ frames: 1, fps });
      expect(done.durationSeconds).toBeCloseTo(1 / fps, 4);
      const { format: container, packets } = z
        .object({
          format: z.object({ duration: z.coerce.number() }),
          packets: z.array(z.object({ codec_type: z.string(), pts_time: z.coerce.number() })),
        })
        .parse(await probe(path, '-show_entries', 'format=duration:packet=codec_type,pts_time'));
      expect(Math.abs(container.duration - 1 / fps)).toBeLessThan(0.002);
      expect(packets.find(({ codec_type }) => codec_type === 'video')?.pts_time).toBe(0);
    }
  });

  it('X9: a preview has audio, and a range without sound is silent', async () => {
    await using page = await outputPage({ info: { audio: [track({ startSeconds: 1.2 })] } });
    await putFile(page, 'public/clicks.wav', clickFile({ durationSeconds: 0.5, clicksAtSeconds: [0.1] }));
    const { done, path } = await render(page, { fps: 15, crf: 28, speed: 'ultrafast', durationSeconds: 1 });
    expect(done.audio?.codec).toBe('aac');
    expect(Math.max(...(await decodeSound(path)).map(Math.abs))).toBeLessThan(0.001);
    // The range is after the end of the audio file.
    const after = await render(page, { fps: 15, durationSeconds: 2.2, range: { fromFrame: 27, toFrame: 33 } });
    expect(after.done.audio?.durationSeconds).toBeCloseTo(0.4, 1);
    expect(Math.max(...(await decodeSound(after.path)).map(Math.abs))).toBeLessThan(0.001);
  });

  it('X9: formats without audio do not request its files', async () => {
    await using page = await outputPage({ info: { audio: [track({ src: '/missing.wav' })] } });
    expect((await render(page, { format: 'jpeg' })).done.audio).toBeNull();
  });

  const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nclicks.wav\n#EXT-X-ENDLIST\n';
  it.each<[string, string, RegExp]>([
    ['is missing', '/sounds/none.mp3', /\/sounds\/none\.mp3 does not exist\. Put it at public\/sounds\/none\.mp3/],
    ['climbs out of the folder', '/../../../../etc/hostname', /does not exist/],
    ['climbs out of the folder in disguise', '/%2e%2e/%2e%2e/%2e%2e/etc/hostname', /does not exist/],
    ['is a link that leads out', '/linked.wav', /is outside the project/],
    ['is behind a folder that leads out', '/linked/secret.wav', /is outside the project/],
    ['is on another host', 'https://example.org/a.mp3', /is not a path within the project/],
    ['is on the disk of the sandbox', 'file:///etc/hostname', /is not a path within the project/],
    ['is a protocol of FFmpeg', 'concat:clicks.wav', /is not a path within the project/],
    ['is no sound', '/text.mp3', /is not a readable audio file/],
    ['is a picture', '/picture.mp3', /is not a readable audio file/],
    ['is a playlist', '/list.mp3', /is not a readable audio file/],
    ['is a folder', '/sounds', /does not exist/],
    ['is over before it begins', '/clicks.wav', /is 0\.50 s long, but its track skips the first 3 s/],
  ])('X9: names an audio file that %s', async (_what, src, words) => {
    const project = await mkdtemp(join(temporary.path, 'project-'));
    const put = async (path: string, content: string | Buffer) => {
      await mkdir(dirname(join(project, path)), { recursive: true });
      await writeFile(join(project, path), content);
    };
    await put('public/clicks.wav', clickFile({ durationSeconds: 0.5, clicksAtSeconds: [0.1] }));
    await put('public/sounds/other.wav', 'x');
    await put('public/text.mp3', 'this is not a sound\n');
    await put('public/list.mp3', playlist);
    await put('public/picture.mp3', PNG.sync.write(new PNG({ width: 8, height: 8 })));
    const secret = join(temporary.path, 'secret.wav');
    await writeFile(secret, clickFile({ durationSeconds: 1, clicksAtSeconds: [0.1] }));
    await symlink(secret, join(project, 'public/linked.wav'));
    await symlink(temporary.path, join(project, 'public/linked'));
    const options = { roots: [join(project, 'public'), project], ffprobePath: 'ffprobe', signal: new AbortController().signal };
    const good = await findAudioInputs([track({})], options);
    expect(good).toMatchObject([{ path: join(project, 'public/clicks.wav'), channels: 1, durationSeconds: 0.5 }]);
    const bad = track({ src, offsetSeconds: src === '/clicks.wav' ? 3 : 0 });
    await expect(findAudioInputs([track({}), bad], options)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(words),
    });
  });

  it('X9: refuses a film with an unusable audio file before it captures anything', async () => {
    await using page = await outputPage({ info: { audio: [track({ src: '/none.wav' })] } });
    const events: string[] = [];
    const rendering = page.render({}, (event) => events.push(event.type));
    await expect(rendering).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('public/none.wav'),
    });
    expect(events).toEqual([]);
    expect(await readdir(join(page.folder, '.koda/renders'))).toEqual([]);
  });
});

describe('scenes', () => {
  it.each(['mp4', 'webm', 'mov'] as const)('X9: %s has a chapter for each scene, beside its audio', async (format) => {
    await using page = await outputPage({ info: { scenes, audio: [track({})] } });
    await putFile(page, 'public/clicks.wav', clickFile({ durationSeconds: 0.5, clicksAtSeconds: [0.1] }));
    const chapters = async (path: string) => {
      const { chapters: found } = (await probe(path, '-show_chapters')) as {
        chapters: { start_time: string; end_time: string; tags: { title: string } }[];
      };
      return found.map(({ start_time, end_time, tags }) => [Number(start_time), Number(end_time), tags.title]);
    };
    const { done, path } = await render(page, { format, durationSeconds: 2, fps: 10 });
    const bytes = await readFile(path);
    expect(done.chapters).toBe(2);
    expect(await chapters(path)).toEqual([
      [0, 0.6, 'The first = best; #1'],
      [0.6, 2, 'two'],
    ]);
    // A second render produces the same bytes, including audio and chapters.
    expect(await readFile((await render(page, { format, durationSeconds: 2, fps: 10 })).path)).toEqual(bytes);
    const part = await render(page, { format, durationSeconds: 2, fps: 10, range: { fromFrame: 5, toFrame: 8 } });
    expect(await chapters(part.path)).toEqual([
      [0, expect.closeTo(0.1, 3), 'The first = best; #1'],
      [expect.closeTo(0.1, 3), expect.closeTo(0.3, 3), 'two'],
    ]);
  });

  it('F10: a film with one scene, one scene of a film and a film for a platform without chapters list none', async () => {
    await using page = await outputPage({ info: { scenes } });
    const chaptersOf = async (job: Partial<RenderJob>) => (await render(page, job)).done.chapters;
    expect(await chaptersOf({ durationSeconds: 2 })).toBe(2);
    expect(await chaptersOf({ durationSeconds: 2, chapters: false })).toBe(0);
    expect(await chaptersOf({ range: { fromFrame: 0, toFrame: 15 } })).toBe(0);
    await using single = await outputPage({ info: { scenes: scenes.slice(0, 1) } });
    const { done, path } = await render(single, { durationSeconds: 0.7 });
    expect(done.chapters).toBe(0);
    // MP4 stores chapters in a stream of their own.
    expect(await probe(path, '-show_entries', 'stream=codec_type')).toMatchObject({ streams: [{ codec_type: 'video' }] });
  });

  it('X9: a scene and a range of frames contain the exact frames of the film', async () => {
    await using page = await outputPage({ info: { scenes } });
    const film = { format: 'png-sequence', durationSeconds: 2, fps: 10 } as const;
    const all = await extract((await render(page, film)).path);
    const scene = await render(page, { ...film, range: { scene: 'two' } });
    expect(scene.done).toMatchObject({ frames: 14, durationSeconds: 1.4, capturedFrames: 0 });
    expect((await extract(scene.path)).pictures).toEqual(all.pictures.slice(6, 20));
    // The range is identical if it is captured separately.
    await page.render({ ...film, range: { fromFrame: 3, toFrame: 7 } });
    expect((await extract(scene.path)).pictures).toEqual(all.pictures.slice(3, 7));

    const video = await render(page, { durationSeconds: 2, range: { scene: 'one' }, speed: 'fast' });
    expect(video.done).toMatchObject({ frames: 21, durationSeconds: 0.7 });
    const moments = (await decodePictures(video.path)).map(momentOf);
    for (const [index, moment] of moments.entries()) expect(moment).toBeCloseTo(index / 30, 5);
  });

  it('X9: a small webm has fewer bytes than a fast one', async () => {
    await using page = await outputPage();
    const film = { format: 'webm', durationSeconds: 2, width: 640, height: 360 } as const;
    const sizeOf = async (speed: 'fast' | 'medium') => (await readFile((await render(page, { ...film, speed })).path)).length;
    expect(await sizeOf('medium')).toBeLessThan(await sizeOf('fast'));
  });

  it('X9: a small mp4 has fewer bytes than a fast one, and no lower SSIM', async () => {
    await using page = await stageWorkspace();
    const film = { durationSeconds: 2, width: 640, height: 360 };
    const lossless = join(page.folder, 'lossless.mp4');
    await rename((await render(page, { ...film, crf: 0 })).path, lossless);
    const measure = async (speed: 'fast' | 'medium') => {
      const { path } = await render(page, { ...film, speed });
      return { bytes: (await readFile(path)).length, ssim: await ssim(path, lossless) };
    };
    const [fast, small] = [await measure('fast'), await measure('medium')];
    expect(small.bytes).toBeLessThan(fast.bytes);
    expect(small.ssim).toBeGreaterThanOrEqual(fast.ssim);
  });

  it('X9: refuses an unknown scene and names the existing ones', async () => {
    await using page = await outputPage({ info: { scenes } });
    await expect(render(page, { range: { scene: 'three' } })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('one, two'),
    });
    await expect(render(page, { range: { fromFrame: 10, toFrame: 61 } })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('verification', () => {
  it.each(['mp4', 'gif', 'jpeg'] as const)('X9: captured JPEG is within 45 dB of fresh screenshots (%s)', async (format) => {
    await using page = await outputPage();
    const { done } = await render(page, { format, verify: true });
    expect(done.verification?.frames).toBe(format === 'jpeg' ? 1 : 11);
    expect(done.verification?.lowestPsnrDb).toBeGreaterThanOrEqual(45);
    expect(done.verification?.meanPsnrDb).toBeGreaterThanOrEqual(done.verification?.lowestPsnrDb ?? 99);
  });

  it('X9: a captured PNG equals a fresh screenshot, alpha included', async () => {
    await using page = await outputPage();
    for (const transparent of [true, false]) {
      const { done } = await render(page, { format: 'mov', transparent, verify: true, fps: 10 });
      expect(done.verification).toEqual({ frames: 10, lowestPsnrDb: 100, meanPsnrDb: 100 });
    }
  });

  it('X9: reports a stored frame with wrong content and how to fix it', async () => {
    await using page = await outputPage();
    await render(page, { fps: 10 });
    const frames = join(page.folder, '.koda/frames');
    const moments = (await readdir(frames, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const [third, last] = ['200000', '900000'].map((name) => moments.find((file) => file.name === name));
    await page.jobs.delete(stageJob.id);
    await writeFile(join(third?.parentPath ?? '', '200000'), await readFile(join(last?.parentPath ?? '', '900000')));
    await expect(render(page, { fps: 10, verify: true })).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringMatching(/frame 2 \(0\.200 s\).*PSNR \d\d\.\d dB.*must depend only on the time/),
    });
    expect(await readdir(join(page.folder, '.koda/renders'))).toEqual([]);
  });

  it('X9: detects a page that depends on earlier seeks', async () => {
    await using page = await outputPage({
      atSeek: 'window.seeks = (window.seeks ?? 0) + 1; strip.style.opacity = String((window.seeks % 5) / 5);',
    });
    await expect(page.render({ durationSeconds: 1, verify: true })).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  });

  it.each([
    ['', /in the scene "(one|two)" differs.*It depends on the frames before it\. A frame must depend only on the time/],
    ["window.worker ??= new Worker('data:text/javascript,');", /in the scene "(one|two)" differs.*The page starts a Worker\./],
  ])('F4: a difference is reported with its scene and its cause (%j)', async (use, words) => {
    const changes = 'window.seeks = (window.seeks ?? 0) + 1; strip.style.opacity = String((window.seeks % 5) / 5);';
    await using page = await outputPage({ info: { scenes }, atSeek: use + changes });
    await expect(page.render({ durationSeconds: 1, verify: true })).rejects.toMatchObject({
      message: expect.stringMatching(words),
      details: { scene: expect.stringMatching(/one|two/), cause: expect.any(String) },
    });
  });
});

describe('stale files', () => {
  it.each(['mp4', 'webm', 'mov', 'gif', 'png-sequence', 'png', 'jpeg'] as const)(
    'A18: of %s the file and its thumbnail alone',
    async (format) => {
      await using page = await outputPage({ info: { scenes, audio: [track({})] } });
      await putFile(page, 'public/clicks.wav', clickFile({ durationSeconds: 0.5, clicksAtSeconds: [0.1] }));
      const { path } = await render(page, { format, fps: 10, verify: true });
      expect((await readdir(dirname(path))).sort()).toEqual([renderFiles[format].name, 'thumbnail.jpg'].sort());
    },
  );

  it('A18: leaves nothing if it is cancelled while the file is assembled', async () => {
    await using page = await outputPage();
    const cancel = new AbortController();
    const rendering = page.render({ format: 'gif', fps: 50, durationSeconds: 4 }, undefined, cancel.signal);
    const failed = expect(rendering).rejects.toThrow();
    // FFmpeg runs twice, and writes the palette in between.
    const files = () => readdir(join(page.folder, '.koda/renders'), { recursive: true }).catch(() => []);
    await expect.poll(files, { interval: 5 }).toContainEqual(expect.stringMatching(/palette\.png$/));
    cancel.abort();
    await failed;
    expect(await remainingProcesses(temporary.path)).toEqual([]);
    expect(await readdir(join(page.folder, '.koda/renders'))).toEqual([]);
  });
});
