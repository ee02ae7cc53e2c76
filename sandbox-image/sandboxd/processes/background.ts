import { setTimeout as delay } from 'node:timers/promises';
import type { ExecRequest, ProcessStatus } from '#contract/sandbox/answers.ts';
import { ProtocolError } from '../http.ts';
import { commandFolder } from './command.ts';
import { type ExitState, type Launched, launch } from './launch.ts';
import { LogFile } from './log-file.ts';

const maxRunning = 32;
const maxEnded = 64;
/** After a kill the pipes close, unless a process that the kill cannot find holds them open. */
const drainMs = 1_000;

interface BackgroundProcess {
  readonly program: Launched;
  readonly log: LogFile;
  exit: ExitState | null;
  /** Resolves when the process has exited and its output is in the log. */
  finished: Promise<void>;
}

/** Programs that outlive the request that started them. Their output goes to a log that is read by offset. */
export class BackgroundProcesses {
  readonly #workspace: string;
  readonly #processes = new Map<number, BackgroundProcess>();
  #started = 0;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  async start(request: ExecRequest): Promise<{ pid: number }> {
    const running = [...this.#processes.values()].filter((entry) => entry.exit === null);
    if (running.length >= maxRunning) {
      throw new ProtocolError(
        'LIMIT_EXCEEDED',
        `${maxRunning} background processes are already running. Stop one of them first.`,
      );
    }
    await this.#evictOldest();
    const cwd = await commandFolder(this.#workspace, request);
    const log = await LogFile.create(this.#workspace, `${Date.now()}-${this.#started++}.log`);
    try {
      const program = await launch('bash', ['-c', request.command], { workspace: this.#workspace, cwd, env: request.env });
      const entry: BackgroundProcess = { program, log, exit: null, finished: Promise.resolve() };
      entry.finished = follow(entry, request.timeoutMs);
      this.#processes.set(program.pid, entry);
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

  log(pid: number, offset: number): Promise<Buffer> {
    return this.#get(pid).log.read(offset);
  }

  /** Kills a process with all its descendants. Resolves when they have exited. */
  async kill(pid: number): Promise<ProcessStatus> {
    const entry = this.#get(pid);
    await entry.program.kill();
    await entry.finished;
    return this.status(pid);
  }

  #get(pid: number): BackgroundProcess {
    const entry = this.#processes.get(pid);
    if (!entry) throw new ProtocolError('PROCESS_NOT_FOUND', `No background process has the id ${pid}.`);
    return entry;
  }

  async #evictOldest(): Promise<void> {
    const ended = [...this.#processes].filter(([, entry]) => entry.exit !== null);
    for (const [pid, entry] of ended.slice(0, Math.max(ended.length - maxEnded, 0))) {
      this.#processes.delete(pid);
      await entry.log.remove();
    }
  }
}

/** Copies the output to the log until the process and all its descendants have exited. */
async function follow(entry: BackgroundProcess, timeoutMs: number): Promise<void> {
  const { program, log } = entry;
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
  entry.exit = exit;
}
