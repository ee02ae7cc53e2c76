import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { isTerminalName, type Shell, type ShellStatus, shellNameSchema } from '#contract/sandbox/shells.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { errorOfRequest } from '../edge/errors.ts';
import { requireSameOrigin } from '../edge/guard.ts';
import { described } from '../route.ts';
import { findShell, shellOutput, shellStream } from '../streams/shell-output.ts';
import { runningSandbox } from './sandbox.ts';

/** Maximum number of output streams per project, across all pages. */
const maxStreams = 16;
/** A reader that has been idle for this long is probably gone. If not, it resumes by its offset. */
const stalledAfterMs = 60_000;

type Deps = Pick<HttpDeps, 'store' | 'projects' | 'sandboxes' | 'hosts' | 'log' | 'heartbeatMs' | 'closing'>;

export function registerShells(app: HttpApp, deps: Deps): void {
  const { hosts, log, heartbeatMs, closing } = deps;
  const sandboxOf = runningSandbox(deps);
  const openStreams = new Map<string, number>();

  app.openapi(
    described(routes.shells, 'A project’s shells: the user’s terminals and the agent’s shells', {
      answer: 'The shells, in the order in which they were started',
    }),
    async (c) => {
      requireSameOrigin(hosts, c);
      const { signal } = c.req.raw;
      const shells = await (await sandboxOf(c.req.valid('param').id, signal, { isRepeated: true })).shells({ signal });
      const items = shells.filter(({ name }) => shellNameSchema.safeParse(name).success).map(toShell);
      return c.json({ items }, 200);
    },
  );

  app.openapi(
    described(routes.openTerminal, 'Open a terminal, or resize the open one', {
      description: 'If the terminal’s session has ended, a new session starts. A project can have at most four terminals.',
    }),
    async (c) => {
      const { id, name } = c.req.valid('param');
      const { signal } = c.req.raw;
      const sandbox = await sandboxOf(id, signal);
      return c.json(toShell(await sandbox.openTerminal(name, c.req.valid('json'), { signal })), 200);
    },
  );

  app.openapi(
    described(routes.typeInTerminal, 'Type into a terminal', {
      description:
        'Input that is sent again with the same number is processed once. A client that leaves without waiting sends unacknowledged input as `unanswered` with the rest, because requests may overtake each other. 409 if the shell has ended, 404 if another one has its name, 422 if its program does not read input; nothing was typed then.',
      answer: 'The input was written to the terminal',
    }),
    async (c) => {
      const { id, name } = c.req.valid('param');
      const { input, unanswered, number, ...writer } = c.req.valid('json');
      const { signal } = c.req.raw;
      const sandbox = await sandboxOf(id, signal);
      const type = (keys: string, order: { number: number }) =>
        sandbox.shellSend(name, { input: keys, order: { ...writer, ...order }, timeoutMs: 0 }, { signal });
      if (unanswered !== undefined) await type(unanswered, { number: number - 1 });
      await type(input, { number });
      return c.json({ accepted: true as const }, 200);
    },
  );

  app.openapi(described(routes.closeTerminal, 'Close a terminal and end its processes'), async (c) => {
    const { id, name } = c.req.valid('param');
    const { signal } = c.req.raw;
    await (await sandboxOf(id, signal)).shellKill(name, { signal });
    return c.json({ deleted: true as const }, 200);
  });

  const output = described(routes.shellOutput, 'Live output of a shell', {
    description:
      'JSON lines: `open` (session, offset), then `output` (offset, base64), `alive` while idle, and finally `ended` (exitCode) or `error`. `?session=&offset=` resumes after the bytes already received of that session. Without them, or for another session, it starts with the oldest stored output (256 KB).',
  });
  app.openapi(output, async (c) => {
    requireSameOrigin(hosts, c);
    const { id: projectId, name } = c.req.valid('param');
    const { session, offset } = c.req.valid('query');
    const sandbox = await sandboxOf(projectId, c.req.raw.signal, { isRepeated: true });
    const shell = await findShell(sandbox, name, c.req.raw.signal);
    const headers = {
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      // Prevents buffering by reverse proxies, which would delay output.
      'x-accel-buffering': 'no',
    };
    if (c.req.method === 'HEAD') return new Response(null, { headers });

    const count = openStreams.get(projectId) ?? 0;
    if (count >= maxStreams) {
      throw new KodaError(
        'RATE_LIMITED',
        `This project’s shell output is already open in ${maxStreams} places, which is the maximum. Close one and try again.`,
        {
          recovery: 'retry',
        },
      );
    }
    openStreams.set(projectId, count + 1);
    const closed = new AbortController();
    const onClosed = () => closed.abort();
    c.req.raw.signal.addEventListener('abort', onClosed, { once: true });
    const stream = shellStream({
      lines: shellOutput(sandbox, shell, { offset: shell.session === session ? offset : 0, signal: closed.signal }),
      failure: (error) => ({ type: 'error', error: errorOfRequest(error, { c, log }).toEnvelope().error }),
      heartbeatMs,
      closing,
      stalledAfterMs,
      onStalled: () => c.env.outgoing?.destroy(),
      onEnd() {
        closed.abort();
        c.req.raw.signal.removeEventListener('abort', onClosed);
        const left = (openStreams.get(projectId) ?? 1) - 1;
        if (left > 0) openStreams.set(projectId, left);
        else openStreams.delete(projectId);
      },
    });
    return new Response(stream, { headers });
  });
}

function toShell({ name, kind, session, ended, exitCode }: ShellStatus): Shell {
  return { name, owner: kind === 'terminal' && isTerminalName(name) ? 'user' : 'agent', session, ended, exitCode };
}
