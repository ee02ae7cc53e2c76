import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from '../http.ts';
import { executionFailed } from '../processes/launch.ts';
import { withTimeLimit } from '../time-limit.ts';
import { closeInherited, openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** A descriptor that no script uses for itself: the shell reports the end of each command there. */
const statusFd = 213;
const startTimeoutMs = 15_000;
/** A line of the status is some dozen characters; whatever writes more is not our function. */
const maxStatusCharacters = 4_096;

/**
 * Told before every prompt, which is when a command has ended in whatever way, also by Ctrl-C and by errors that end
 * the whole line: on the status pipe "command, exit code, number", then the number in the terminal, behind the last
 * of the output. It is random and drawn after the command, so no command can have printed it. Both names are
 * read-only: a program's set-up that puts its own there fails without harm.
 */
const startUp = `set +H +o history
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
/** The mark at the end of a command's output; terminals know no such code and show nothing. */
const endMark = (number: string): Buffer => Buffer.from(`\u001b]5522;${number}\u0007`);

export interface DrivenShellOptions extends Omit<TerminalOptions, 'onExit'> {
  /** A command has ended; `mark` stands behind its output, which may still be on its way. */
  readonly onStatus: (status: { commandId: number; exitCode: number; mark: Buffer }) => void;
  readonly onExit: (exitCode: number) => void;
}

/** A bash that takes its commands from a pipe and has the terminal for their input and output. */
export interface DrivenShell extends Terminal {
  /** Runs a command that has no NUL in it. One at a time. */
  run(commandId: number, command: string): void;
}

/** Starts a bash for commands; it is ready when this resolves. Throws ProtocolError EXECUTION_FAILED. */
export async function startDrivenShell(options: DrivenShellOptions): Promise<DrivenShell> {
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
        ready.reject(executionFailed(new Error(`bash ended with exit code ${exitCode}`)));
        options.onExit(exitCode);
      },
    }).catch((error: unknown) => {
      pipes.close();
      throw error;
    });
    const late = () => executionFailed(new Error('bash does not answer'));
    await withTimeLimit(ready.promise, startTimeoutMs, late).catch(async (error: unknown) => {
      await terminal.kill();
      throw error;
    });
    return {
      ...terminal,
      run: (commandId, command) => pipes.send(lineOf(commandId, command)),
      async kill() {
        const gone = terminal.kill();
        // Nothing to read any more: a bash that waits for a command ends by itself.
        pipes.close();
        await gone;
      },
    };
  } finally {
    // A process that has a pipe open keeps it.
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * `eval` reports what is wrong with the command as a failure of its own. The terminal is its input and the status pipe is
 * not among its files; both belong to the shell again afterwards, whatever the command did with them by `exec`. The empty
 * line before it ends what a syntax error may have left in bash's parser.
 */
function lineOf(commandId: number, command: string): string {
  return `\n{ __koda_begin ${commandId} "$?"; } 2>/dev/null; eval ${quoteForBash(command)} </dev/tty ${statusFd}>&-\n`;
}

interface Pipes {
  onStatus: DrivenShellOptions['onStatus'];
  send(line: string): void;
  /** Idempotent. */
  close(): void;
}

/** Both are opened for both directions, so that neither opening nor reading ever waits for the other side. */
async function openPipes(folder: string): Promise<Pipes> {
  const [commandsPath, statusPath] = [join(folder, 'commands'), join(folder, 'status')];
  await promisify(execFile)('mkfifo', ['-m', '600', commandsPath, statusPath]).catch((error: unknown) => {
    throw executionFailed(error);
  });
  await writeFile(join(folder, 'start'), startUp, { mode: 0o600 });
  const mode = constants.O_RDWR | constants.O_NONBLOCK;
  const commands = openSync(commandsPath, mode);
  // A socket, and no file: a file would hold one of the few threads for each session while it waits.
  const status = new Socket({ fd: openSync(statusPath, mode), readable: true, writable: false });
  let closed = false;
  let rest = '';
  const pipes: Pipes = {
    onStatus: () => undefined,
    send(line) {
      try {
        // A shell that waits for a command has an empty pipe, into which the longest line fits.
        if (!closed && writeSync(commands, line) === Buffer.byteLength(line)) return;
      } catch (error) {
        if (errnoOf(error) !== 'EAGAIN') throw error;
      }
      throw executionFailed(new Error('the shell does not take commands any more'));
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
        pipes.onStatus({ commandId: Number(commandId), exitCode: Number(exitCode), mark: endMark(number) });
    }
  });
  status.on('error', () => pipes.close());
  return pipes;
}

const mustEscape = /[\\'\p{Cc}]/gu;

/**
 * A text as one word of bash, on one line: `$'…'`. Whatever the text holds, nothing of it can end the word, so a
 * command with unbalanced quotes or an open here-document stays whole and fails by itself. It must not hold NUL.
 */
export function quoteForBash(text: string): string {
  return `$'${text.replace(mustEscape, (character) => (character === '\\' || character === "'" ? `\\${character}` : octal(character)))}'`;
}

/** Octal, because it has a fixed length: digits that follow cannot become part of it. In bytes of UTF-8, like all the rest. */
function octal(character: string): string {
  return [...Buffer.from(character, 'utf8')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
