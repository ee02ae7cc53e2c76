import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from '../http.ts';
import { executionFailed } from '../processes/launch.ts';
import { currentSlowness } from '../slowness.ts';
import { withTimeLimit } from '../time-limit.ts';
import { closeInherited, openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** File descriptor for command statuses. Chosen because scripts are unlikely to use it. */
const statusFd = 213;
const startTimeoutMs = 15_000;
const maxStatusCharacters = 4_096;

/**
 * The script reports before every prompt, so after each command, even one ended by Ctrl-C or a syntax error. It writes
 * "command, exit code, number" to the status pipe, then the number to the terminal after the output. The number is chosen after
 * the command has run, so the command cannot forge it. The names are read-only, so that setup scripts cannot replace them.
 */
const startScript = `set +H +o history
PS1= PS2=
stty -ixon </dev/tty
trap 'exit 143' TERM
__koda_command=0
__koda_begin() { __koda_command=$1; return "$2"; }
__koda_report() {
  local number=$SRANDOM$SRANDOM$SRANDOM
  printf '%s %s %s\\n' "$__koda_command" "$1" "$number" >&${statusFd}
  printf '\\033]5522;%s\\007' "$number" >/dev/tty
}
readonly -f __koda_begin __koda_report
PROMPT_COMMAND='{ __koda_report "$?"; } 2>/dev/null'
readonly PROMPT_COMMAND
`;
const statusLine = /^(\d{1,9}) (\d{1,3}) (\d{3,40})$/;
/** Marks the end of a command's output. Terminals ignore this code and show nothing. */
const endMarker = (number: string): Buffer => Buffer.from(`\u001b]5522;${number}\u0007`);

export interface CommandShellOptions extends Omit<TerminalOptions, 'onExit'> {
  /** A command has ended. `marker` comes after its output, which may still be arriving. */
  readonly onStatus: (status: { commandId: number; exitCode: number; marker: Buffer }) => void;
  readonly onExit: (exitCode: number) => void;
}

/** Bash that reads commands from a pipe and uses the terminal for their input and output. */
export interface CommandShell extends Terminal {
  /** Runs one command at a time; it must not contain NUL. */
  run(commandId: number, command: string): void;
}

/** Starts a bash for commands and waits until it is ready. Throws EXECUTION_FAILED. */
export async function startCommandShell(options: CommandShellOptions): Promise<CommandShell> {
  const folder = await mkdtemp(join(tmpdir(), 'koda-shell-'));
  try {
    const pipes = await openPipes(folder);
    const ready = Promise.withResolvers<void>();
    pipes.onStatus = (status) => (status.commandId === 0 ? ready.resolve() : options.onStatus(status));
    const program = `${closeInherited} exec bash --noprofile --rcfile "$0/start" --noediting -i <"$0/commands" ${statusFd}>"$0/status"`;
    const terminal = await openTerminal('bash', ['-c', program, folder], {
      ...options,
      onExit: (exitCode) => {
        pipes.close();
        ready.reject(executionFailed(new Error(`bash exited with code ${exitCode}`)));
        options.onExit(exitCode);
      },
    }).catch((error: unknown) => {
      pipes.close();
      throw error;
    });
    const late = () => executionFailed(new Error('bash did not start in time'));
    await withTimeLimit(ready.promise, startTimeoutMs * currentSlowness(), late).catch(async (error: unknown) => {
      await terminal.kill();
      throw error;
    });
    return {
      ...terminal,
      run: (commandId, command) => pipes.send(commandLine(commandId, command)),
      async kill() {
        const killed = terminal.kill();
        // A bash that waits for a command exits when the pipe closes.
        pipes.close();
        await killed;
      },
    };
  } finally {
    // Processes with an open pipe keep it after its deletion.
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * `eval` turns a syntax error into a failure of this command. Each command gets the terminal as input and no status pipe,
 * even if an earlier one changed them using `exec`. The leading empty line ends whatever a syntax error left in the parser.
 */
function commandLine(commandId: number, command: string): string {
  return `\n{ __koda_begin ${commandId} "$?"; } 2>/dev/null; eval ${quoteForBash(command)} </dev/tty ${statusFd}>&-\n`;
}

interface Pipes {
  onStatus: CommandShellOptions['onStatus'];
  send(line: string): void;
  close(): void;
}

/** Opens both pipes for reading and writing, so that neither open nor read blocks. */
async function openPipes(folder: string): Promise<Pipes> {
  const [commandsPath, statusPath] = [join(folder, 'commands'), join(folder, 'status')];
  await promisify(execFile)('mkfifo', ['-m', '600', commandsPath, statusPath]).catch((error: unknown) => {
    throw executionFailed(error);
  });
  await writeFile(join(folder, 'start'), startScript, { mode: 0o600 });
  const mode = constants.O_RDWR | constants.O_NONBLOCK;
  const commands = openSync(commandsPath, mode);
  // A file stream would block one thread-pool thread per session; a socket does not.
  const status = new Socket({ fd: openSync(statusPath, mode), readable: true, writable: false });
  let closed = false;
  let rest = '';
  const pipes: Pipes = {
    onStatus: () => undefined,
    send(line) {
      try {
        // The waiting shell's pipe is empty and has space for the longest line.
        if (!closed && writeSync(commands, line) === Buffer.byteLength(line)) return;
      } catch (error) {
        if (errnoOf(error) !== 'EAGAIN') throw error;
      }
      throw executionFailed(new Error('the shell no longer accepts commands'));
    },
    close() {
      if (closed) return;
      closed = true;
      closeSync(commands);
      status.destroy();
    },
  };
  status.setEncoding('utf8');
  status.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(-maxStatusCharacters);
    for (const line of lines) {
      const [, commandId, exitCode, number] = statusLine.exec(line) ?? [];
      if (number !== undefined)
        pipes.onStatus({ commandId: Number(commandId), exitCode: Number(exitCode), marker: endMarker(number) });
    }
  });
  status.on('error', () => pipes.close());
  return pipes;
}

const mustEscape = /[\\'\p{Cc}]/gu;

/**
 * Quotes a string as one bash word on one line. The string must not contain NUL. Unbalanced quotes and open here-documents stay
 * inside the word.
 */
export function quoteForBash(text: string): string {
  return `$'${text.replace(mustEscape, (character) => (character === '\\' || character === "'" ? `\\${character}` : octal(character)))}'`;
}

/** Escapes UTF-8 bytes as octal numbers of fixed length, so that digits after them are not included. */
function octal(character: string): string {
  return [...Buffer.from(character, 'utf8')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
