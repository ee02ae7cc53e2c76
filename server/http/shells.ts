import { KodaError } from '../contract/errors.ts';
import { routes } from '../contract/routes.ts';
import { isTerminalName, type Shell, type ShellStatus, shellNameSchema } from '../contract/shells.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { errorOfRequest } from './errors.ts';
import { requireSameOrigin } from './guard.ts';
import { described } from './route.ts';
import { runningSandbox } from './sandbox.ts';
import { findShell, shellOutput, shellStream } from './shell-output.ts';

/** Shells watched at a time, by all pages on one project together. */
const maxStreams = 16;
/** A reader that takes nothing for this long is most likely gone; if not, it resumes by its offset. */
const stalledAfterMs = 60_000;

type Deps = Pick<HttpDeps, 'store' | 'projects' | 'sandboxes' | 'hosts' | 'log' | 'heartbeatMs' | 'closing'>;

/** Terminals of the user in a project's sandbox, and a look at the shells of its agent. */
export function registerShells(app: HttpApp, deps: Deps): void {
  const { hosts, log, heartbeatMs, closing } = deps;
  const sandboxOf = runningSandbox(deps);
  /** How many watch, by project. */
  const watching = new Map<string, number>();

  app.openapi(
    described(routes.shells, 'The shells of a project: terminals of the user, and shells of the agent', {
      answer: 'The shells, by the time they began',
    }),
    async (c) => {
      requireSameOrigin(hosts, c);
      const { signal } = c.req.raw;
      const shells = await (await sandboxOf(c.req.valid('param').id, signal)).shells({ signal });
      // A malformed name cannot be a shell's.
      const items = shells.filter(({ name }) => shellNameSchema.safeParse(name).success).map(toShell);
      return c.json({ items }, 200);
    },
  );

  app.openapi(
    described(routes.openTerminal, 'Open a terminal, or give the one that is open another size', {
      description: 'A terminal that has ended begins anew, as another session. A project has four at most.',
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
        'Sent again with the same number after a cut, input is taken once. A client that goes away and cannot wait sends what was not answered along with the rest, as `unanswered`: two requests may overtake each other. 409 when the shell has ended, 404 when another one has its name, 422 when the program in it does not read: nothing was typed then.',
      answer: 'The keys are in the terminal',
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

  app.openapi(described(routes.closeTerminal, 'End a terminal and everything that runs in it'), async (c) => {
    const { id, name } = c.req.valid('param');
    const { signal } = c.req.raw;
    await (await sandboxOf(id, signal)).shellKill(name, { signal });
    return c.json({ deleted: true as const }, 200);
  });

  const output = described(routes.shellOutput, 'What a shell writes, as it comes', {
    description:
      'Lines of JSON: `open` (session, offset), then `output` (offset, base64 of the bytes), `alive` while nothing happens, and at last `ended` (exitCode) or `error`. `?session=&offset=` resumes: behind the bytes that were seen of that session; without them, or of another session, it begins with the oldest that is kept (256 KB).',
  });
  app.openapi(output, async (c) => {
    requireSameOrigin(hosts, c);
    const { id: projectId, name } = c.req.valid('param');
    const { session, offset } = c.req.valid('query');
    const sandbox = await sandboxOf(projectId, c.req.raw.signal);
    const shell = await findShell(sandbox, name, c.req.raw.signal);
    const headers = {
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      // Buffering reverse proxies would hold keys back.
      'x-accel-buffering': 'no',
    };
    if (c.req.method === 'HEAD') return new Response(null, { headers });

    const already = watching.get(projectId) ?? 0;
    if (already >= maxStreams) {
      throw new KodaError('RATE_LIMITED', `The shells of this project are watched ${maxStreams} times already. Close a page.`, {
        recovery: 'retry',
      });
    }
    watching.set(projectId, already + 1);
    const gone = new AbortController();
    const onGone = () => gone.abort();
    c.req.raw.signal.addEventListener('abort', onGone, { once: true });
    const stream = shellStream({
      // An offset of another session says nothing about this one.
      lines: shellOutput(sandbox, shell, { offset: shell.session === session ? offset : 0, signal: gone.signal }),
      failure: (error) => ({ type: 'error', error: errorOfRequest(error, { c, log }).toEnvelope().error }),
      heartbeatMs,
      closing,
      stalledAfterMs,
      onStalled: () => c.env.outgoing?.destroy(),
      onEnd() {
        gone.abort();
        c.req.raw.signal.removeEventListener('abort', onGone);
        const left = (watching.get(projectId) ?? 1) - 1;
        if (left > 0) watching.set(projectId, left);
        else watching.delete(projectId);
      },
    });
    return new Response(stream, { headers });
  });
}

function toShell({ name, kind, session, ended, exitCode }: ShellStatus): Shell {
  return { name, owner: kind === 'terminal' && isTerminalName(name) ? 'user' : 'agent', session, ended, exitCode };
}
