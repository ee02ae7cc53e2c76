import { errorMessage } from '#contract/errors.ts';
import { nextTimeoutMs } from '#contract/retry.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { blockedReason } from './blocked-commands.ts';
import type { ToolContext } from './context.ts';
import { type DiskUse, diskFullPattern, largestIn } from './disk-use.ts';
import { allPhases, completed, defineTool, failed, type ToolResult, workPhases } from './tool.ts';

const maxOutputCharacters = 100 * 1024;

export const runCommand = defineTool('sandbox_run_command', {
  category: 'command',
  risk: 'medium',
  timeoutMs: 310_000,
  phases: workPhases,
  label: (input) => `Running ${input.command.slice(0, 60)}`,
  historyEntry: (input) => `${input.background ? 'Started' : 'Ran'} ${input.command}`,
  async run(input, context) {
    const blocked = blockedReason(input.command);
    if (blocked !== null) return failed('COMMAND_BLOCKED', `The command was not run: ${blocked}.`);
    const { sandbox } = await context.sandbox();
    const request = {
      command: input.command,
      cwd: input.working_dir ?? null,
      env: {},
      timeoutMs: input.background ? 0 : input.timeout_ms,
    };
    if (input.background) {
      const { pid } = await sandbox.startProcess(request, { signal: context.signal });
      return completed({ pid }, `Started ${input.command.slice(0, 60)}`);
    }
    const output = { stdout: '', stderr: '' };
    let truncated = false;
    for await (const event of sandbox.exec(request, { signal: context.signal })) {
      if (event.type === 'error') return failed('EXECUTION_FAILED', event.message, { ...output });
      if (event.type === 'stdout' || event.type === 'stderr') {
        const charactersLeft = maxOutputCharacters - output[event.type].length;
        if (event.text.length > charactersLeft) truncated = true;
        output[event.type] += event.text.slice(0, Math.max(0, charactersLeft));
      } else if (event.type === 'exit') {
        const result = {
          ...output,
          exit_code: event.exitCode,
          duration_ms: event.durationMs,
          timed_out: event.timedOut,
          truncated,
        };
        if (event.timedOut) return tooSlow(input.timeout_ms, result);
        const summary = `${input.command.slice(0, 60)}: exit code ${event.exitCode ?? event.signal}`;
        return completed(await withDiskReport(result, sandbox, context.signal), summary);
      }
    }
    return failed('EXECUTION_FAILED', 'The connection to the sandbox closed before the command finished.', { ...output });
  },
});

const maxLogBytes = 50 * 1024;

export const backgroundProcess = defineTool('sandbox_process', {
  category: 'command',
  risk: 'low',
  timeoutMs: 60_000,
  phases: workPhases,
  label: ({ pid, action }) => (action === 'stop' ? `Stopping process ${pid}` : `Checking process ${pid}`),
  historyEntry: ({ pid, action }) => (action === 'stop' ? `Stopped process ${pid}` : `Work of process ${pid}`),
  async run({ pid, action, offset }, context) {
    const { sandbox } = await context.sandbox();
    const { signal } = context;
    const status = await (action === 'stop' ? sandbox.killProcess(pid, { signal }) : sandbox.processStatus(pid, { signal }));
    const { running, exitCode, signal: endedBy, logBytes } = status;
    const end = exitCode === null ? `signal ${endedBy}` : `exit code ${exitCode}`;
    const summary = running ? `Process ${pid} is running` : `Process ${pid} has ended: ${end}`;
    const output = { pid, running, exit_code: exitCode, signal: endedBy, log_bytes: logBytes };
    if (action !== 'log') return completed(output, summary);
    const from = offset ?? Math.max(0, logBytes - maxLogBytes);
    const log = (await sandbox.processLog(pid, { signal, offset: from })).subarray(0, maxLogBytes);
    return completed({ ...output, log: log.toString(), next_offset: from + log.length }, summary);
  },
});

async function withDiskReport<T extends { exit_code: number | null; stderr: string }>(
  result: T,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<T | (T & { disk_full: { largest: DiskUse[] } })> {
  if (result.exit_code === 0 || !diskFullPattern.test(result.stderr)) return result;
  const largest = await largestIn(sandbox, { signal });
  return largest.length > 0 ? { ...result, disk_full: { largest } } : result;
}

/** Suggests more time, up to five minutes. Longer commands belong in the background. */
function tooSlow(timeoutMs: number, result: Record<string, unknown>): ToolResult {
  const nextMs = nextTimeoutMs(timeoutMs);
  const advice =
    nextMs > timeoutMs
      ? `If it was still running, call again with timeout_ms ${nextMs}.`
      : 'If it needs longer, run it in the background and read its log with sandbox_process.';
  return failed('TIMEOUT', `The command did not finish within ${timeoutMs / 1000} s and was stopped. ${advice}`, {
    ...result,
    ...(nextMs > timeoutMs ? { next_timeout_ms: nextMs } : {}),
  });
}

export const createSandbox = defineTool('sandbox_create', {
  category: 'sandbox',
  risk: 'low',
  timeoutMs: 60_000,
  phases: allPhases,
  label: () => 'Preparing the sandbox',
  async run(input, context) {
    if (!input.reuse_existing) {
      const failure = await saveBeforeDestroy(context);
      if (failure !== null) return failure;
      await context.destroySandbox();
    }
    const { sandbox, created } = await context.sandbox();
    return completed(
      { sandbox_id: sandbox.id, status: created ? 'created' : 'reused' },
      created ? 'Sandbox created' : 'Sandbox reused',
    );
  },
});

export const destroySandbox = defineTool('sandbox_destroy', {
  category: 'sandbox',
  risk: 'medium',
  timeoutMs: 60_000,
  phases: workPhases,
  permissionFor: (input) => (input.save_state ? null : 'discard'),
  label: () => 'Destroying the sandbox',
  async run(input, context) {
    const failure = input.save_state ? await saveBeforeDestroy(context) : null;
    if (failure !== null) return failure;
    await context.destroySandbox();
    return completed({ success: true }, 'Sandbox destroyed');
  },
});

/** Returns `null` once the files are saved, otherwise the error result; the sandbox is then kept. */
async function saveBeforeDestroy(context: ToolContext): Promise<ToolResult | null> {
  try {
    await context.checkpoint('before_destroy');
    return null;
  } catch (error) {
    return failed('SAVE_FAILED', `The files could not be saved, so the sandbox was not destroyed: ${errorMessage(error)}`);
  }
}
