// npm run bench -- tools: measures tool calls through the registry and sandboxd, compared with "docker exec".
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GitCheckpointStore } from '../../server/history/git-store.ts';
import { signal, testProvider } from '../fixtures/sandbox.ts';
import { newProject, tempStores, testPerson } from '../fixtures/storage.ts';
import { toolsOver } from '../fixtures/tools.ts';
import { readTimingOptions, timed, timingRow, writeResult } from './timing/timing.ts';

const helpText = `npm run bench -- tools [options]

Measures in a Docker sandbox how long a tool takes to read, write, list or run "true" through the registry and sandboxd,
and alternates with "docker exec". Writing and running are measured twice: alone, and with the checkpoint that preserves the
agent's work, for which "docker exec" has no counterpart.

  --rounds N         rounds per measurement; the result is the median (30)
  --json FILE        write the result to FILE as JSON
  --help             show this help
`;

/** Minimum median speed-up for the first four calls. */
const goal = 10;
const warmUpRounds = 3;
const file = 'src/bench.ts';
const run = promisify(execFile);

const options = readTimingOptions(helpText, { max: 1000, default: 30 });

interface Contest {
  readonly name: string;
  readonly goal: number | null;
  readonly ours: (round: number) => Promise<unknown>;
  readonly dockerExec: (round: number) => Promise<unknown>;
  readonly times: { ours: number[]; dockerExec: number[] };
}

const contests: Contest[] = [];
{
  using stores = tempStores();
  await using place = testProvider('docker');
  const { id: projectId } = await stores.projects.create(newProject());
  const { sandbox } = await place.create(projectId);
  await sandbox.init({ template: 'animation' }, { signal });
  const store = new GitCheckpointStore({
    dataDir: stores.dataDir,
    sandboxOf: async () => sandbox,
    ledger: stores.checkpointLedger,
    disk: stores.disk,
  });
  await store.save(projectId, 'todo_done', { by: testPerson, signal });
  const tools = toolsOver(sandbox);
  const kept = toolsOver(sandbox, () => store.save(projectId, 'written', { by: testPerson, signal, sandbox }));
  const { stdout } = await run('docker', ['ps', '-q', '--filter', `label=koda.project=${projectId}`]);
  const container = stdout.trim();
  const exec = (...command: string[]) => run('docker', ['exec', container, ...command]);
  const content = (round: number) => `// ${round}\n`.padEnd(2000, 'x');
  const execWrite = async (round: number) => {
    const writing = run('docker', ['exec', '-i', container, 'sh', '-c', 'cat > /workspace/src/other.ts']);
    writing.child.stdin?.end(content(round));
    await writing;
  };
  const add = (contest: Omit<Contest, 'times'>) => contests.push({ ...contest, times: { ours: [], dockerExec: [] } });
  const write = { path: file };
  add({
    name: 'write a file of 2 kB',
    goal,
    ours: (round) => tools.output('sandbox_write_file', { ...write, content: content(round) }),
    dockerExec: execWrite,
  });
  add({
    name: 'read it',
    goal,
    ours: () => tools.output('sandbox_read_file', { path: file }),
    dockerExec: () => exec('cat', `/workspace/${file}`),
  });
  add({
    name: 'list a folder',
    goal,
    ours: () => tools.output('sandbox_list_files', { path: 'src' }),
    dockerExec: () => exec('ls', '-la', '/workspace/src'),
  });
  add({
    name: 'run "true"',
    goal,
    ours: () => tools.output('sandbox_run_command', { command: 'true' }),
    dockerExec: () => exec('bash', '-c', 'true'),
  });
  add({
    name: 'write a file of 2 kB, and keep it',
    goal: null,
    ours: (round) => kept.output('sandbox_write_file', { ...write, content: content(-round) }),
    dockerExec: execWrite,
  });
  add({
    name: 'run "true", and keep what it changed',
    goal: null,
    ours: () => kept.output('sandbox_run_command', { command: 'true' }),
    dockerExec: () => exec('bash', '-c', 'true'),
  });

  for (let round = -warmUpRounds; round < options.rounds; round++) {
    for (const { ours, dockerExec, times } of contests) {
      const own = await timed(() => ours(round));
      const other = await timed(() => dockerExec(round));
      if (round < 0) continue;
      times.ours.push(own);
      times.dockerExec.push(other);
    }
  }
}

const rows = contests.map(({ times, ...contest }) =>
  timingRow(contest, times.ours, { name: 'dockerExec', times: times.dockerExec }),
);
for (const { name, ours, peers, ratios, goal: wanted } of rows) {
  const wish = wanted === null ? '' : ` (goal ${wanted})`;
  console.log(`${name.padEnd(38)} ${ours} ms, docker exec ${peers.dockerExec} ms: ${ratios.dockerExec} times faster${wish}`);
}
if (options.json !== undefined) await writeResult(options.json, 'tools', rows);
