import { randomUUID } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { controlSocketName, previewSocketName } from '#contract/sandbox/answers.ts';
import { createApp, type SandboxHandlers } from './app.ts';
import { Transactions } from './apply/apply.ts';
import { readEnv } from './env.ts';
import { workspaceHandlers } from './handlers.ts';
import { listenOn } from './listen.ts';
import { createMedia } from './media.ts';
import { DevServer } from './preview/dev-server.ts';
import { createPreviewSocket } from './preview/socket.ts';
import { killAllTrees } from './processes/launch.ts';
import { outlivePages } from './processes/out-of-memory.ts';
import { killTree } from './processes/tree.ts';
import { ShellSessions } from './shells/sessions.ts';

/** Environment variable with the tag that every process in this sandbox inherits; see `processes/tree.ts`. */
const sandboxTagName = 'KODA_SANDBOX_MARK';

const env = readEnv(process.env);
const tag = process.env[sandboxTagName] ?? randomUUID();
process.env[sandboxTagName] = tag;
// A program started with the daemon's environment must not inherit the token.
delete process.env['KODA_TOKEN'];
outlivePages();

const workspace = env.KODA_WORKSPACE;
const templatesDir = env.KODA_TEMPLATES;
await mkdir(workspace, { recursive: true });
const transactions = new Transactions(workspace);
// Every later transaction retries this. The rest of the sandbox works without it.
await transactions
  .recover()
  .catch((error: unknown) => process.stderr.write(`failed to roll back an interrupted transaction: ${String(error)}\n`));

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
// The control socket opens last, when everything else is ready for clients.
await listenOn(control, controlPath);

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
// Daemons are usually killed, but Node writes its compile cache (NODE_COMPILE_CACHE) only on a normal exit.
flushCompileCache();

function createControlServer(): Server {
  const server = createServer(
    // The client sets its own timeouts, closes idle connections, and may upload for a long time.
    { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 10_000 },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  );
  server.maxConnections = 256;
  return server;
}

async function stop(): Promise<void> {
  previewSocket.close();
  control.close();
  await Promise.all([shells.close(), killAllTrees(), media[Symbol.asyncDispose]()]);
  control.closeAllConnections();
  // Kills all remaining processes by the sandbox's tag.
  await killTree({ groupId: null, tag: `${sandboxTagName}=${tag}` });
  await Promise.allSettled([unlink(controlPath), unlink(previewPath)]);
  process.exit(0);
}
