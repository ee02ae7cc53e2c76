import { randomUUID } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { controlSocketName, previewSocketName } from '../../server/contract/sandboxd.ts';
import { createApp, type SandboxHandlers } from './app.ts';
import { Transactions } from './apply/apply.ts';
import { readEnv } from './env.ts';
import { workspaceHandlers } from './handlers.ts';
import { listenOn } from './listen.ts';
import { createMedia } from './media.ts';
import { DevServer } from './preview/dev-server.ts';
import { createPreviewSocket } from './preview/socket.ts';
import { killAllTrees } from './processes/launch.ts';
import { killTree } from './processes/tree.ts';
import { ShellSessions } from './shells/sessions.ts';

/** Name of the mark that every process of this sandbox inherits; see `processes/tree.ts`. */
const sandboxMark = 'KODA_SANDBOX_MARK';

const env = readEnv(process.env);
const mark = process.env[sandboxMark] ?? randomUUID();
process.env[sandboxMark] = mark;
// Programs of the project must not inherit it by a spawn that forgets to choose its environment.
delete process.env['KODA_TOKEN'];

const workspace = env.KODA_WORKSPACE;
const templatesDir = env.KODA_TEMPLATES;
await mkdir(workspace, { recursive: true });
const transactions = new Transactions(workspace);
// What the project's programs have put in the way is told again by each transaction; the rest of the sandbox works without.
await transactions
  .recover()
  .catch((error: unknown) => process.stderr.write(`An unfinished change of files stays: ${String(error)}\n`));

const preview = new DevServer(workspace);
const shells = new ShellSessions(workspace);
const media = createMedia({ workspace, preview, env });
const handlers: SandboxHandlers = {
  ...workspaceHandlers({ workspace, transactions, templatesDir, preview, shells }),
  ...media.handlers,
};
const app = createApp(env.KODA_TOKEN, handlers);

const control = createControlServer();
const previewSocket = createPreviewSocket(preview);
const controlPath = join(env.KODA_SOCKET_DIR, controlSocketName);
const previewPath = join(env.KODA_SOCKET_DIR, previewSocketName);
await listenOn(previewSocket, previewPath);
// Last: a client that reaches it finds everything ready.
await listenOn(control, controlPath);

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
// Most daemons do not end in order, and Node keeps what it made of the sources (NODE_COMPILE_CACHE) at such an end alone.
flushCompileCache();

function createControlServer(): Server {
  const server = createServer(
    // Idle connections are the client's to close, and uploads may be long; it brings its own time limits.
    { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 10_000 },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  );
  server.maxConnections = 256;
  return server;
}

/** Takes no more calls, ends what runs, and exits. */
async function stop(): Promise<void> {
  previewSocket.close();
  control.close();
  await Promise.all([shells.close(), killAllTrees(), media[Symbol.asyncDispose]()]);
  control.closeAllConnections();
  // Whatever is left bears the sandbox's mark.
  await killTree({ groupId: null, mark: `${sandboxMark}=${mark}` });
  await Promise.allSettled([unlink(controlPath), unlink(previewPath)]);
  process.exit(0);
}
