import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecEvent, ExecRequest } from '#contract/sandbox/answers.ts';
import { type Emit, errnoOf, invalidRequest } from '../http.ts';
import { commandFolder } from './command.ts';
import { type ExitState, endAfter, type Launched, launch } from './launch.ts';

/** Maximum wait for remaining output after the command has exited. If it is exceeded, a child is holding the pipe open. */
const drainMs = 250;

/**
 * Runs `bash -c` and streams its output with backpressure. Kills background children before the final `exit` event. `signal`
 * and the timeout end the command early, with SIGTERM and then SIGKILL. Throws EXECUTION_FAILED.
 */
export async function execStreamed(
  workspace: string,
  request: ExecRequest,
  emit: Emit<ExecEvent>,
  signal: AbortSignal,
): Promise<void> {
  if (request.timeoutMs === 0)
    throw invalidRequest('A command needs a time limit. To run it without one, start it as a background process.');
  const startedAt = performance.now();
  const cwd = await commandFolder(workspace, request);
  const program = await launch('bash', ['-c', request.command], { workspace, cwd, env: request.env });
  await using ending = endAfter(program, { timeoutMs: request.timeoutMs, signal });
  await emit({ type: 'started', pid: program.pid });
  const exit = await relay(program, emit);
  const durationMs = Math.round(performance.now() - startedAt);
  await emit({ type: 'exit', ...exit, timedOut: ending.timedOut, durationMs });
}

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
  // A client disconnect also ends the wait.
  const exit = (await Promise.race([program.exited, output.then(() => null)])) ?? (await program.exited);
  let kill = 'notStarted' as 'notStarted' | 'running' | 'done';
  while (await Promise.race([output.then(() => false), delay(drainMs, true)])) {
    if (kill === 'notStarted') {
      kill = 'running';
      // `execStreamed` awaits the kill and reports its error.
      program.kill().then(
        () => (kill = 'done'),
        () => (kill = 'done'),
      );
    } else if (kill === 'done' && channels.every(({ stream, idle }) => idle && stream.readableLength === 0)) {
      // A process that the kill cannot find still holds the pipe.
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
