import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecEvent, ExecRequest } from '../../../server/contract/sandboxd.ts';
import { type Emit, errnoOf, invalidRequest } from '../http.ts';
import { commandFolder } from './command.ts';
import { type ExitState, endAfter, type Launched, launch } from './launch.ts';

/** How long output is still awaited after the command ended before a child of it that holds the pipe open is looked for. */
const drainMs = 250;

/**
 * Runs `bash -c` and emits its output as it comes; a slow reader slows the command down. Ends with `exit`,
 * after which nothing that the command started is left: what it put into the background is killed, too.
 * `signal` ends it early, with the same ladder as the time limit. Throws ProtocolError EXECUTION_FAILED.
 */
export async function execStreamed(
  workspace: string,
  request: ExecRequest,
  emit: Emit<ExecEvent>,
  signal: AbortSignal,
): Promise<void> {
  if (request.timeoutMs === 0) throw invalidRequest('A command needs a time limit; run it as a process to go without.');
  const startedAt = performance.now();
  const cwd = await commandFolder(workspace, request);
  const program = await launch('bash', ['-c', request.command], { workspace, cwd, env: request.env });
  await using ending = endAfter(program, { timeoutMs: request.timeoutMs, signal });
  await emit({ type: 'started', pid: program.pid });
  const exit = await relay(program, emit);
  const durationMs = Math.round(performance.now() - startedAt);
  await emit({ type: 'exit', ...exit, timedOut: ending.timedOut, durationMs });
}

/** One of the two outputs on its way to the client. `idle`: everything that came was taken. */
interface Channel {
  readonly stream: Readable;
  readonly type: 'stdout' | 'stderr';
  idle: boolean;
}

async function relay(program: Launched, emit: Emit<ExecEvent>): Promise<ExitState> {
  const channels: Channel[] = [
    { stream: program.stdout, type: 'stdout', idle: true },
    { stream: program.stderr, type: 'stderr', idle: true },
  ];
  const output = Promise.all(channels.map((channel) => relayText(channel, emit)));
  // A client that is gone ends the wait for the exit, too.
  const exit = (await Promise.race([program.exited, output.then(() => null)])) ?? (await program.exited);
  let strays = 'unasked' as 'unasked' | 'asked' | 'gone';
  while (await Promise.race([output.then(() => false), delay(drainMs, true)])) {
    if (strays === 'unasked') {
      strays = 'asked';
      // Its failure shows when `execStreamed` awaits it.
      program.kill().then(
        () => (strays = 'gone'),
        () => (strays = 'gone'),
      );
    } else if (strays === 'gone' && channels.every(({ stream, idle }) => idle && stream.readableLength === 0)) {
      // Somebody whom no kill can find still holds the pipe.
      for (const { stream } of channels) stream.destroy();
    }
  }
  return exit;
}

async function relayText(channel: Channel, emit: Emit<ExecEvent>): Promise<void> {
  const { stream, type } = channel;
  const decoder = new StringDecoder('utf8');
  const send = async (text: string) => {
    if (text === '') return;
    channel.idle = false;
    await emit({ type, text });
    channel.idle = true;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) await send(decoder.write(chunk));
  } catch (error) {
    if (errnoOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
  await send(decoder.end());
}
