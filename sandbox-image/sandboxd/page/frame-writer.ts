import type { FrameWriterAnswer, FrameWriterOrder } from './direct-frames.ts';
import convertToI420 from './dist/i420.wasm';

/** Runs in a worker of a film's page. Converts frames to I420 and overwrites one file of the page's private file system. */

const pageBytes = 65_536;
/** The first page of the memory belongs to the compiled code. */
const sourceOffset = pageBytes;

/** Missing in TypeScript's library for pages, because only workers have it. */
interface SyncAccessHandle {
  truncate(bytes: number): void;
  write(content: Uint8Array, options: { at: number }): number;
}

interface Writer {
  /** Where the browser puts a frame's pixels: BGRX. */
  readonly source: Uint8Array<ArrayBuffer>;
  readonly result: Uint8Array<ArrayBuffer>;
  convert(): void;
  readonly file: SyncAccessHandle;
}

let writer: Writer | null = null;

async function open({ name, mark, width, height }: Extract<FrameWriterOrder, { name: string }>): Promise<Writer> {
  const sourceBytes = width * height * 4;
  const resultBytes = (width * height * 3) / 2;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((sourceOffset + sourceBytes + resultBytes) / pageBytes) });
  const { instance } = await WebAssembly.instantiate(convertToI420, { env: { memory } });
  const convert = instance.exports['convert'] as (from: number, to: number, width: number, height: number) => void;
  const folder = await navigator.storage.getDirectory();
  const handle = await folder.getFileHandle(name, { create: true });
  const file: SyncAccessHandle = await Reflect.get(handle, 'createSyncAccessHandle').call(handle);
  file.truncate(resultBytes);
  file.write(new TextEncoder().encode(mark), { at: 0 });
  const resultOffset = sourceOffset + sourceBytes;
  return {
    source: new Uint8Array(memory.buffer, sourceOffset, sourceBytes),
    result: new Uint8Array(memory.buffer, resultOffset, resultBytes),
    convert: () => convert(sourceOffset, resultOffset, width, height),
    file,
  };
}

async function write(frame: VideoFrame, { source, result, convert, file }: Writer): Promise<void> {
  try {
    if (frame.format !== 'BGRX' && frame.format !== 'BGRA') throw new Error(`the browser draws in ${frame.format}`);
    await frame.copyTo(source);
  } finally {
    frame.close();
  }
  convert();
  if (file.write(result, { at: 0 }) !== result.length) throw new Error('the file is incomplete');
}

async function obey(order: FrameWriterOrder): Promise<void> {
  if ('name' in order) writer = await open(order);
  else if (writer) await write(order.frame, writer);
}

/** Orders are carried out one after the other, because all frames use the same memory. */
let working = Promise.resolve();
addEventListener('message', ({ data }: MessageEvent<FrameWriterOrder>) => {
  const answer = (message: FrameWriterAnswer) => postMessage(message);
  working = working
    .then(() => obey(data))
    .then(
      () => answer({ error: null }),
      (error: unknown) => answer({ error: String(error) }),
    );
});
