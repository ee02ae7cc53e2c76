import { Readable } from 'node:stream';
import type { SandboxHandlers } from './app.ts';
import type { Transactions } from './apply/apply.ts';
import { deletePath, openFile, statPath, writeFileAtomically } from './files/content.ts';
import { listFolder, orNotFound } from './files/listing.ts';
import { importTar } from './files/tar-in.ts';
import { tarOf } from './files/tar-out.ts';
import { initWorkspace } from './files/template.ts';
import { ChangeTracker } from './files/tracker.ts';
import { readHealth } from './health.ts';
import { sendBytes, sendChunks, sendStream } from './http.ts';
import { compileProblems } from './preview/compile-problems.ts';
import type { DevServer } from './preview/dev-server.ts';
import { previewOrigin } from './preview-server.ts';
import { BackgroundProcesses } from './processes/background.ts';
import { execStreamed } from './processes/exec.ts';
import { findLines, findPaths } from './search/search.ts';
import type { ShellSessions } from './shells/sessions.ts';

export interface WorkspaceHandlersDeps {
  readonly workspace: string;
  readonly transactions: Transactions;
  readonly templatesDir: string;
  readonly preview: DevServer;
  readonly shells: ShellSessions;
}

type WorkspaceHandlers = Omit<
  SandboxHandlers,
  | 'screenshot'
  | 'inspect'
  | 'readImage'
  | 'drawSvg'
  | 'browse'
  | 'makeSound'
  | 'normaliseSound'
  | 'render'
  | `render${string}`
  | 'deleteRender'
>;

export function workspaceHandlers({
  workspace,
  transactions,
  templatesDir,
  preview,
  shells,
}: WorkspaceHandlersDeps): WorkspaceHandlers {
  const tracker = new ChangeTracker(workspace);
  const background = new BackgroundProcesses(workspace);
  return {
    health: () => readHealth(workspace),
    init: async ({ body }) => ({ created: await initWorkspace(workspace, templatesDir, body.template) }),

    listFiles: ({ path, recursive }) => orNotFound(workspace, path, listFolder(workspace, path, recursive)),
    statFile: ({ path }) => orNotFound(workspace, path, statPath(workspace, path)),
    async readFile({ path }) {
      const { handle, sizeBytes } = await orNotFound(workspace, path, openFile(workspace, path));
      const stream = sizeBytes === 0 ? Readable.from([]) : handle.createReadStream({ start: 0, end: sizeBytes - 1 });
      if (sizeBytes === 0) await handle.close();
      return sendStream(stream, { 'content-type': 'application/octet-stream', 'content-length': String(sizeBytes) });
    },
    writeFile: ({ path, body }) => writeFileAtomically(workspace, path, body),
    deleteFile: async ({ path }) => ({ deleted: await deletePath(workspace, path) }),
    applyFiles: ({ body, signal }) => transactions.apply(body, signal),
    exportTar: async ({ seen, since }) =>
      sendStream(tarOf(workspace, await tracker.changedBy(seen ?? 0, since)), { 'content-type': 'application/x-tar' }),
    importTar: ({ clear, body }) => importTar(workspace, body, { clear }),
    changes: ({ since }) => tracker.changes(since),
    findPaths: ({ body, signal }) => orNotFound(workspace, body.path, findPaths(workspace, body, signal)),
    findLines: ({ body, signal }) => orNotFound(workspace, body.path, findLines(workspace, body, signal)),

    exec:
      ({ body }) =>
      (emit, signal) =>
        execStreamed(workspace, body, emit, signal),
    startProcess: ({ body }) => background.start(body),
    processStatus: ({ pid }) => background.status(pid),
    processLog: async ({ pid, offset }) => sendBytes(await background.log(pid, offset), 'application/octet-stream'),
    killProcess: ({ pid }) => background.kill(pid),

    shells: () => ({ shells: shells.list() }),
    shellExec: ({ name, body, signal }) => shells.exec(name, body, signal),
    shellSend: ({ name, body, signal }) => shells.send(name, body, signal),
    shellWait: ({ name, body, signal }) => shells.wait(name, body.timeoutMs, signal),
    shellView: ({ name }) => shells.view(name),
    shellKill: ({ name }) => shells.kill(name),
    openTerminal: ({ name, body }) => shells.openTerminal(name, body),
    shellStream({ name, offset }) {
      const session = shells.get(name);
      const from = session.streamStart(offset);
      const headers = { 'content-type': 'application/octet-stream', 'x-koda-offset': String(from) };
      return sendChunks((closed) => session.stream(from, closed), headers);
    },

    async startPreview({ signal }) {
      await preview.ensureRunning(signal);
      return preview.status();
    },
    previewStatus: () => preview.status(),
    watchPreview: ({ revision, signal }) => preview.watch(revision, signal),
    stopPreview: () => preview.stop(),
    compileProblems: async ({ signal }) => ({
      problems: await compileProblems(await previewOrigin(preview, signal), workspace, signal),
    }),
  };
}
