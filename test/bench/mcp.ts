// npm run bench -- mcp: compares tool calls over MCP with the same calls over HTTP.
import { z } from 'zod';
import { startTestStudio } from '../fixtures/app.ts';
import { connectMcp } from '../fixtures/mcp-client.ts';
import { readTimingOptions, timed, timingRow, writeResult } from './timing/timing.ts';

const helpText = `npm run bench -- mcp [options]

Starts a studio with a process sandbox, and calls the same tools of a project over MCP and over HTTP in turn.

  --rounds N         rounds per measurement; the result is the median (100)
  --json FILE        write the result to FILE as JSON
  --help             show this help
`;

/** Maximum of what a call over MCP takes longer than over HTTP, in milliseconds at the median. */
const maxExtraMs = 5;
const warmUpRounds = 5;

const options = readTimingOptions(helpText, { max: 10_000, default: 100 });

await using studio = await startTestStudio();
await using mcp = await connectMcp(studio.url);
const { project_id: projectId } = z.object({ project_id: z.string() }).parse(
  await mcp.call('make_film', {
    film: {
      ...{ title: 'Hello', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 30 },
      scenes: [
        { format: 'title', props: { text: 'Hello', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] } },
      ],
    },
  }),
);

const contests = [
  { name: 'read a file', mcp: 'read_file', http: 'sandbox_read_file', input: { path: 'src/film.json' } },
  { name: 'list a folder', mcp: 'list_files', http: 'sandbox_list_files', input: { path: 'src' } },
  { name: 'run "true"', mcp: 'run_command', http: 'sandbox_run_command', input: { command: 'true' } },
].map((contest) => ({ ...contest, times: { mcp: [] as number[], http: [] as number[] } }));

for (let round = -warmUpRounds; round < options.rounds; round++) {
  for (const { mcp: name, http, input, times } of contests) {
    const overMcp = await timed(() => mcp.call(name, { project_id: projectId, ...input }));
    const overHttp = await timed(() => studio.send('POST', `/api/projects/${projectId}/tools/${http}`, input));
    if (round < 0) continue;
    times.mcp.push(overMcp);
    times.http.push(overHttp);
  }
}

const rows = contests.map(({ name, times }) => timingRow({ name, goal: null }, times.mcp, { name: 'http', times: times.http }));
for (const { name, ours, peers } of rows)
  console.log(
    `${name.padEnd(20)} MCP ${ours} ms, HTTP ${peers.http} ms: ${(ours - peers.http).toFixed(1)} ms more (at most ${maxExtraMs})`,
  );
if (options.json !== undefined) await writeResult(options.json, 'mcp', rows);
