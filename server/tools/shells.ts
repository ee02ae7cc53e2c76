import type { ShellResult } from '#contract/sandbox/shells.ts';
import { blockedReason } from './blocked-commands.ts';
import { completed, defineTool, failed, type ToolResult, workPhases } from './tool.ts';

/** A terminal in line mode silently truncates longer lines (Linux's `MAX_CANON` without the line end). */
const maxLineBytes = 4_095;
/** The longest time limit, plus time to terminate the processes and save a checkpoint. */
const timeoutMs = 340_000;

const common = { category: 'shell', phases: workPhases, timeoutMs } as const;

export const execInShell = defineTool('shell_exec', {
  ...common,
  risk: 'medium',
  label: (input) => `Running ${input.command.slice(0, 60)}`,
  async run(input, context) {
    const blocked = blockedReason(input.command);
    if (blocked !== null) return failed('COMMAND_BLOCKED', `The command was not run: ${blocked}.`);
    const { sandbox } = await context.sandbox();
    const request = { command: input.command, timeoutMs: input.timeout_ms };
    return toolResult(await sandbox.shellExec(input.session, request, { signal: context.signal }), input.command.slice(0, 60));
  },
});

export const viewShell = defineTool('shell_view', {
  ...common,
  risk: 'low',
  label: (input) => `Viewing the shell ${input.session}`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    return toolResult(await sandbox.shellView(input.session, { signal: context.signal }));
  },
});

export const sendToShell = defineTool('shell_send', {
  ...common,
  risk: 'medium',
  label: (input) => `Typing into the shell ${input.session}`,
  async run(input, context) {
    const blocked = blockedReason(input.input);
    if (blocked !== null) return failed('COMMAND_BLOCKED', `The input was not sent: ${blocked}.`);
    if (input.input.split('\n').some((line) => Buffer.byteLength(line) > maxLineBytes))
      return failed(
        'VALIDATION_ERROR',
        `A terminal accepts lines of at most ${maxLineBytes} bytes. Write the text to a file, and let the program read the file.`,
      );
    const { sandbox } = await context.sandbox();
    // The Enter key sends a carriage return, even for programs that read single keys.
    const keys = { input: input.input.replaceAll(/\r?\n/g, '\r'), timeoutMs: input.timeout_ms };
    return toolResult(await sandbox.shellSend(input.session, keys, { signal: context.signal }));
  },
});

export const waitForShell = defineTool('shell_wait', {
  ...common,
  risk: 'low',
  label: (input) => `Waiting for the shell ${input.session}`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    const { signal } = context;
    return toolResult(await sandbox.shellWait(input.session, { timeoutMs: input.timeout_ms }, { signal }));
  },
});

export const killShell = defineTool('shell_kill', {
  ...common,
  risk: 'low',
  label: (input) => `Closing the shell ${input.session}`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    return toolResult(await sandbox.shellKill(input.session, { signal: context.signal }));
  },
});

function toolResult(shell: ShellResult, subject = `Shell ${shell.name}`): ToolResult {
  const { name, output, running, exitCode, ended, truncated } = shell;
  const code = running || exitCode === null ? {} : { exit_code: exitCode };
  return completed(
    { session: name, output, running, ...code, truncated, session_ended: ended },
    `${subject}: ${stateText(shell)}${ended ? '; the session has ended' : ''}`,
  );
}

function stateText({ running, exitCode }: ShellResult): string {
  if (running) return 'still running';
  return exitCode === null ? 'nothing has run yet' : `exit code ${exitCode}`;
}
