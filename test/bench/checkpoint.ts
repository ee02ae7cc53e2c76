// npm run bench -- checkpoint: measures saving a change and restoring after losing a sandbox, compared with a naive
// implementation.
import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pack } from 'tar-stream';
import { GitCheckpointStore } from '../../server/history/git-store.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { shell, signal, testProvider } from '../fixtures/sandbox.ts';
import { newProject, tempStores, testPerson } from '../fixtures/storage.ts';
import { readTimingOptions, timed, timingRow, writeResult } from './timing/timing.ts';

const helpText = `npm run bench -- checkpoint [options]

In a Docker sandbox with 1,000 small files beside the template: how long a checkpoint of one changed file takes on the
server, and how long it takes from a killed sandbox to a new one whose preview answers. Both taking turns with the naive
way, which reads (or writes) every file by a "docker exec" of its own; of those a sample is timed and the rest reckoned.

  --rounds N         how often each is measured; medians count (5)
  --json FILE        write the result there as JSON
  --help             this text
`;

const goals = { checkpointMs: 30, restoreMs: 3000 };
const extraFiles = 1000;
/** Files that the naive implementation actually reads or writes per round. */
const naiveSample = 20;
const run = promisify(execFile);

const options = readTimingOptions(helpText, { max: 100, default: 5 });

const times = {
  first: [] as number[],
  checkpoint: [] as number[],
  naiveCheckpoint: [] as number[],
  restore: [] as number[],
  naiveRestore: [] as number[],
};
{
  using stores = tempStores();
  await using place = testProvider('docker');
  const { id: projectId } = await stores.projects.create(newProject());
  let sandbox: Sandbox = (await place.create(projectId)).sandbox;
  const store = new GitCheckpointStore({
    dataDir: stores.dataDir,
    sandboxOf: async () => sandbox,
    ledger: stores.checkpointLedger,
    disk: stores.disk,
  });
  await sandbox.init({ template: 'animation' }, { signal });
  await sandbox.importTar(manyFiles(), { clear: false, signal });
  await store.save(projectId, 'todo_done', { by: testPerson, signal });
  const paths = (await shell(sandbox, "find . -type f -not -path './node_modules/*' -not -path './.koda/*'")).split('\n');

  for (let round = 0; round < options.rounds; round++) {
    // The first checkpoint of a sandbox compares all files, and later ones only the changed files.
    await sandbox.writeFile('data/file-400.json', Buffer.from(JSON.stringify({ round })), { signal });
    times.first.push(await timed(() => saved(store.save(projectId, 'autosave', { by: testPerson, signal }))));
    await sandbox.writeFile('data/file-500.json', Buffer.from(JSON.stringify({ round })), { signal });
    times.checkpoint.push(await timed(() => saved(store.save(projectId, 'autosave', { by: testPerson, signal }))));
    const container = await containerOf(projectId);
    times.naiveCheckpoint.push(await reckoned(paths, (path) => run('docker', ['exec', container, 'cat', `/workspace/${path}`])));

    await run('docker', ['kill', container]);
    await place.provider.destroy(sandbox.id, { signal });
    times.restore.push(
      await timed(async () => {
        sandbox = (await place.create(projectId)).sandbox;
        await sandbox.init({ template: 'animation' }, { signal });
        await store.restore(projectId, { signal, sandbox });
        await previewAnswers(sandbox);
      }),
    );
    const target = await containerOf(projectId);
    const writing = await reckoned(paths, async (path) => {
      const writer = run('docker', ['exec', '-i', target, 'sh', '-c', `cat > '/tmp/${path.replaceAll('/', '_')}'`]);
      writer.child.stdin?.end('{}');
      await writer;
    });
    // The naive implementation also needs a container and a dev server, so only the transfer of the files differs.
    const files = await timed(() => store.restore(projectId, { signal, sandbox }));
    times.naiveRestore.push((times.restore.at(-1) ?? 0) - files + writing);
    console.log(
      `round ${round + 1}: checkpoint ${ms(times.checkpoint)}, naive ${ms(times.naiveCheckpoint)}; restore ${ms(times.restore)}, naive ${ms(times.naiveRestore)}`,
    );
  }
}

const row = (name: string, goal: number | null, ours: readonly number[], naive: readonly number[]) =>
  timingRow({ name, goal }, ours, { name: 'naive', times: naive });
const rows = [
  row('first checkpoint of a restored sandbox', null, times.first, times.naiveCheckpoint),
  row('checkpoint of 1 changed file among 1,000', goals.checkpointMs, times.checkpoint, times.naiveCheckpoint),
  row('dead sandbox to a preview that answers', goals.restoreMs, times.restore, times.naiveRestore),
];
for (const { name, ours, goal, peers, ratios } of rows) {
  console.log(
    `${name.padEnd(42)} ${ours} ms${goal === null ? '' : ` (goal ${goal})`}, naive ${peers.naive} ms: ${ratios.naive} times faster`,
  );
}
if (options.json !== undefined) await writeResult(options.json, 'checkpoint', rows);

function ms(measured: readonly number[]): string {
  return `${(measured.at(-1) ?? 0).toFixed(0)} ms`;
}

/** Estimates the time for all files from a sample. */
async function reckoned(paths: readonly string[], work: (path: string) => Promise<unknown>): Promise<number> {
  const sample = paths.filter((_, index) => index % Math.ceil(paths.length / naiveSample) === 0);
  const taken = await timed(async () => {
    for (const path of sample) await work(path);
  });
  return (taken / sample.length) * paths.length;
}

async function saved(saving: Promise<string | null>): Promise<void> {
  if ((await saving) === null) throw new Error('The change was not seen, so nothing was measured.');
}

async function containerOf(projectId: string): Promise<string> {
  const { stdout } = await run('docker', ['ps', '-q', '--filter', `label=koda.project=${projectId}`]);
  return stdout.trim();
}

function manyFiles(): Readable {
  const archive = pack();
  for (let index = 0; index < extraFiles; index++) {
    archive.entry({ name: `data/file-${index}.json` }, JSON.stringify({ index, text: 'x'.repeat(index % 900) }));
  }
  archive.finalize();
  return Readable.from(archive);
}

async function previewAnswers(sandbox: Sandbox): Promise<void> {
  const { state, log } = await sandbox.startPreview({ signal });
  if (state !== 'running') throw new Error(`The preview did not start: ${log}`);
  while ((await statusOf(sandbox.previewSocketPath)) !== 200) await delay(20);
}

function statusOf(socketPath: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/', headers: { host: 'localhost' } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
}
