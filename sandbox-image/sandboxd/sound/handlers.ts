import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { maxRecordingBytes, maxSoundSeconds, type Sound, type Speech } from '#contract/sandbox/sounds.ts';
import type { SandboxHandlers } from '../app.ts';
import { invalidRequest, ProtocolError } from '../http.ts';
import { readOnlySound, sampleRate } from '../render/audio-mix.ts';
import { samplesOf } from './tones.ts';

/** EBU R 128 s2 recommends it for programmes on the web. Only the measurement has the same in every film. */
const targetLufs = -16;
/** Amplitude of −1.5 dB. What MP3 adds stays below 0. */
const maxAmplitude = 0.841;
/** A shorter sound is measured as its repetition, because the measurement takes blocks of 0.4 s. */
const measuredSeconds = 3;
const programTimeoutMs = 30_000;
const usualWordsPerMinute = 165;

const rawSound = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', '1'];
const quietly = ['-hide_banner', '-nostdin', '-nostats', '-y'];

interface Run {
  readonly ffmpegPath: string;
  /** Folder of this sound alone. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Creates the handlers that make sounds. Each has the same loudness, whatever it is made from. */
export function soundHandlers(ffmpegPath: () => string): Pick<SandboxHandlers, 'makeSound' | 'normaliseSound'> {
  return {
    makeSound: ({ body, signal }) =>
      inOwnFolder({ ffmpegPath: ffmpegPath(), signal }, async (run) => {
        if (body.source === 'speech') return await decoded(await spoken(body.speech, run), run);
        const raw = join(run.folder, 'notes.raw');
        await writeFile(raw, Buffer.from(samplesOf(body.notes).buffer));
        return raw;
      }),
    normaliseSound: ({ body, signal }) =>
      inOwnFolder({ ffmpegPath: ffmpegPath(), signal }, async (run) => {
        const path = join(run.folder, 'recording');
        await pipeline(limited(body), createWriteStream(path), { signal });
        return await decoded(path, run);
      }),
  };
}

/** Calls `make`, which returns a file with samples, and returns the sound. Removes all files. */
async function inOwnFolder(options: Omit<Run, 'folder'>, make: (run: Run) => Promise<string>): Promise<Sound> {
  const folder = await mkdtemp(join(tmpdir(), 'koda-sound-'));
  try {
    const run = { ...options, folder };
    return await finished(await make(run), run);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* limited(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.byteLength;
    if (bytes > maxRecordingBytes)
      throw new ProtocolError('TOO_LARGE', `The recording has more than ${maxRecordingBytes / 1024 / 1024} MB.`);
    yield piece;
  }
}

async function spoken({ text: words, language, speed }: Speech, { folder, signal }: Run): Promise<string> {
  const path = join(folder, 'speech.wav');
  const rate = String(Math.round(usualWordsPerMinute * speed));
  // The words are on stdin, so that none is taken as an option. Without -m, they contain no markup.
  const { status, errors } = await program('espeak-ng', ['-b', '1', '-v', language, '-s', rate, '-w', path, '--stdin'], {
    input: words,
    signal,
  });
  if (status === 0 && (await sizeOf(path)) > 0) return path;
  if (/voice/i.test(errors))
    throw invalidRequest(`There is no voice for the language "${language}". Use another one, such as en.`);
  throw new ProtocolError('EXECUTION_FAILED', 'The text could not be spoken. Use plain words of the language.');
}

/** Decodes an untrusted file. */
async function decoded(path: string, run: Run): Promise<string> {
  const raw = join(run.folder, 'decoded.raw');
  // One second more than is allowed shows that the sound is too long.
  const length = ['-t', String(maxSoundSeconds + 1)];
  const args = [...quietly, '-v', 'error', ...readOnlySound, '-i', path, '-map', '0:a:0', ...length, ...rawSound, raw];
  const { status } = await program(run.ffmpegPath, args, { input: null, signal: run.signal });
  if (status !== 0) throw new ProtocolError('UNSUPPORTED_TYPE', 'The recording is not a readable audio file.');
  return raw;
}

/** Sets the loudness, and encodes the sound as MP3. */
async function finished(raw: string, run: Run): Promise<Sound> {
  const seconds = (await sizeOf(raw)) / Float32Array.BYTES_PER_ELEMENT / sampleRate;
  if (seconds > maxSoundSeconds)
    throw new ProtocolError('TOO_LARGE', `The sound is longer than ${maxSoundSeconds} s. Divide it into several.`);
  const { lufs: before } = await loudnessOf([...rawSound, '-i', raw], seconds, run);
  const gain = `volume=${(targetLufs - before).toFixed(2)}dB`;
  const limiter = `alimiter=limit=${maxAmplitude}:level=false:latency=true`;
  const path = join(run.folder, 'sound.mp3');
  const codec = ['-c:a', 'libmp3lame', '-b:a', '128k', '-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  const args = [...quietly, '-v', 'error', ...rawSound, '-i', raw, '-af', `${gain},${limiter}`, ...codec, path];
  const { status, errors } = await program(run.ffmpegPath, args, { input: null, signal: run.signal });
  if (status !== 0) throw new ProtocolError('ENCODE_FAILED', `FFmpeg failed: ${errors.slice(-500)}`);
  const { lufs, peakDb } = await loudnessOf(['-i', path], seconds, run);
  return { base64: await readFile(path, 'base64'), seconds, lufs, peakDb };
}

/** Measures a mono sound as it is heard in a film, on both sides. Throws VALIDATION_ERROR if it is silent. */
async function loudnessOf(
  input: readonly string[],
  seconds: number,
  { ffmpegPath, signal }: Run,
): Promise<{ lufs: number; peakDb: number }> {
  const repeated = `aloop=loop=-1:size=${measuredSeconds * sampleRate},atrim=end=${measuredSeconds},`;
  const filter = `${seconds < measuredSeconds ? repeated : ''}ebur128=peak=true:dualmono=true:framelog=verbose`;
  const args = [...quietly, '-v', 'info', ...input, '-af', filter, '-f', 'null', '-'];
  const { status, errors } = await program(ffmpegPath, args, { input: null, signal });
  const lufs = Number(/\bI:\s+(-?[\d.]+) LUFS/.exec(errors)?.[1] ?? Number.NaN);
  const peakDb = Number(/\bPeak:\s+(-?[\d.]+) dBFS/.exec(errors)?.[1] ?? Number.NaN);
  if (status !== 0) throw new ProtocolError('ENCODE_FAILED', `FFmpeg failed: ${errors.slice(-500)}`);
  if (!(lufs > -70) || !Number.isFinite(peakDb)) throw invalidRequest('The sound is silent. Use audible tones or other words.');
  return { lufs, peakDb };
}

const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0;

/** Runs a program with a time limit. Throws EXECUTION_FAILED if it is not installed or too slow. */
async function program(
  command: string,
  args: readonly string[],
  { input, signal }: { input: string | null; signal: AbortSignal },
): Promise<{ status: number | null; errors: string }> {
  const limit = AbortSignal.timeout(programTimeoutMs);
  const child = spawn(command, args, {
    stdio: ['pipe', 'ignore', 'pipe'],
    signal: AbortSignal.any([signal, limit]),
    killSignal: 'SIGKILL',
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject);
  child.once('close', ended.resolve);
  // A program that fails early does not read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  try {
    const [errors, status] = await Promise.all([text(child.stderr), ended.promise]);
    return { status, errors };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted)
      throw new ProtocolError('EXECUTION_FAILED', `${command} did not finish within ${programTimeoutMs / 1000} s.`);
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new ProtocolError('EXECUTION_FAILED', `${command} is not installed in the sandbox, so this sound cannot be made.`);
    throw error;
  }
}
