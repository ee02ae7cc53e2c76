import { setTimeout as delay } from 'node:timers/promises';
import type { ExecRequest, ProcessStatus } from '../../../server/contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';
import { commandFolder } from './command.ts';
import { type ExitState, type Launched, launch } from './launch.ts';
import { LogFile } from './log-file.ts';

const maxRunning = 32;
/** Ended processes whose status and log are kept. */
const maxEnded = 64;
/** After everything was killed the pipes end by themselves, unless a process that no kill can find holds them. */
const drainMs = 1_000;

interface BackgroundProcess {
  readonly program: Launched;
  readonly log: LogFile;
  exit: ExitState | null;
  /** Resolves when it has ended and its output is in the log. */
  finished: Promise<void>;
}

/** Programs that run on after the request that started them; their output goes to a log that is read by offset. */
export class BackgroundProcesses {
  readonly #workspace: string;
  readonly #processes = new Map<number, BackgroundProcess>();
  #started = 0;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Starts `bash -c`. Throws LIMIT_EXCEEDED when too many run, EXECUTION_FAILED when it cannot start. */
  async start(request: ExecRequest): Promise<{ pid: number }> {
    const running = [...this.#processes.values()].filter((known) => known.exit === null);
    if (running.length >= maxRunning) {
      throw new ProtocolError('LIMIT_EXCEEDED', `${maxRunning} processes run already; end one of them first.`);
    }
    await this.#forgetOldest();
    const cwd = await commandFolder(this.#workspace, request);
    const log = await LogFile.create(this.#workspace, `${Date.now()}-${this.#started++}.log`);
    try {
      const program = await launch('bash', ['-c', request.command], { workspace: this.#workspace, cwd, env: request.env });
      const known: BackgroundProcess = { program, log, exit: null, finished: Promise.resolve() };
      known.finished = follow(known, request.timeoutMs);
      this.#processes.set(program.pid, known);
      return { pid: program.pid };
    } catch (error) {
      await log.remove();
      throw error;
    }
  }

  status(pid: number): ProcessStatus {
    const { exit, log } = this.#get(pid);
    return {
      pid,
      running: exit === null,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      logBytes: log.sizeBytes,
    };
  }

  /** The log from an offset; see `LogFile.read`. */
  log(pid: number, offset: number): Promise<Buffer> {
    return this.#get(pid).log.read(offset);
  }

  /** Ends a process with all that it started, and answers when it is gone. */
  async kill(pid: number): Promise<ProcessStatus> {
    const known = this.#get(pid);
    await known.program.kill();
    await known.finished;
    return this.status(pid);
  }

  #get(pid: number): BackgroundProcess {
    const known = this.#processes.get(pid);
    if (!known) throw new ProtocolError('PROCESS_NOT_FOUND', `No background process has the id ${pid}.`);
    return known;
  }

  async #forgetOldest(): Promise<void> {
    const ended = [...this.#processes].filter(([, known]) => known.exit !== null);
    for (const [pid, known] of ended.slice(0, Math.max(ended.length - maxEnded, 0))) {
      this.#processes.delete(pid);
      await known.log.remove();
    }
  }
}

/** Carries the output to the log until the process and all that it started have ended. */
async function follow(known: BackgroundProcess, timeoutMs: number): Promise<void> {
  const { program, log } = known;
  const end = () => void program.kill().catch(() => undefined);
  const timer = timeoutMs > 0 ? setTimeout(end, timeoutMs) : null;
  const copy = async (stream: AsyncIterable<Buffer>) => {
    for await (const chunk of stream) await log.append(chunk);
  };
  const output = Promise.allSettled([copy(program.stdout), copy(program.stderr)]);
  const exit = await program.exited;
  if (timer) clearTimeout(timer);
  await program.kill();
  await Promise.race([output, delay(drainMs)]);
  program.stdout.destroy();
  program.stderr.destroy();
  await output;
  known.exit = exit;
}
