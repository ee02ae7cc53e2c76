import { KodaError } from '#contract/errors.ts';
import type { McpServer } from '#contract/mcp-servers.ts';
import {
  type DeclaredTool,
  type OutsideResult,
  outsideResultSchema,
  problemsSchema,
  type Question,
  type Report,
} from './protocol.ts';

interface Process {
  ask(question: Question, signal: AbortSignal | null): Promise<unknown>;
  /** Closes the connection. */
  close(): void;
}

/** The app's view of a connection that another process holds. */
export class OutsideConnection {
  readonly #process: Process;
  #state: McpServer['state'] = 'connecting';
  #error: string | null = null;
  #tools: readonly DeclaredTool[] = [];
  /** Tools of a list that is not complete yet. */
  #arriving: DeclaredTool[] = [];

  constructor(process: Process) {
    this.#process = process;
  }

  get state(): McpServer['state'] {
    return this.#state;
  }

  get error(): string | null {
    return this.#error;
  }

  /** The tools of the last list, also while the server is unreachable. */
  get tools(): readonly DeclaredTool[] {
    return this.#tools;
  }

  /** Connects if needed. Throws SERVICE_UNAVAILABLE. */
  async connect(): Promise<void> {
    await this.#process.ask({ type: 'connect' }, null);
  }

  /** Returns what is wrong with a tool's input. Empty if it matches the tool's schema. Throws SERVICE_UNAVAILABLE. */
  async check({ name, digest }: DeclaredTool, input: unknown, { signal }: { signal: AbortSignal }): Promise<readonly string[]> {
    return problemsSchema.parse(await this.#process.ask({ type: 'check', tool: name, digest, input }, signal));
  }

  /** Calls a tool. Throws TIMEOUT, SERVICE_UNAVAILABLE, CIRCUIT_OPEN, BAD_REQUEST, or the signal's reason. */
  async call(tool: string, input: Record<string, unknown>, { signal }: { signal: AbortSignal }): Promise<OutsideResult> {
    return outsideResultSchema.parse(await this.#process.ask({ type: 'call', tool, input }, signal));
  }

  close(): void {
    this.#process.close();
  }

  /** Takes a report of the process about this connection. */
  take(report: Extract<Report, { connection: number }>): void {
    if (report.type === 'tool') {
      this.#arriving.push(report.tool);
      return;
    }
    if (report.hasNewTools) this.#tools = this.#arriving;
    this.#arriving = [];
    this.#state = report.state;
    this.#error = report.error;
  }

  /** Takes the end of the process. */
  lose(): void {
    this.#arriving = [];
    this.#state = 'failed';
    this.#error = processEnded;
  }

  /** Takes the start of a new process. */
  reopen(): void {
    this.#state = 'connecting';
    this.#error = null;
  }
}

const processEnded = 'the process of the connections ended, and starts again within a minute';

export function unavailable(): KodaError {
  return new KodaError('SERVICE_UNAVAILABLE', `MCP servers cannot be used: ${processEnded}. Try again then.`);
}
