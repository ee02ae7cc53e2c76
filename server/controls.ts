import type { Config } from './lib/config.ts';
import { isLoopbackAddress, isLoopbackHost } from './lib/loopback.ts';

/** What keeps somebody from doing harm. `SECURITY.md` is made from this list. */
interface Control {
  readonly area:
    | 'Who may use the studio'
    | 'Sandboxes'
    | 'Previews'
    | 'Broker'
    | 'The server’s time and memory'
    | 'The data disk'
    | 'Addresses and servers outside Koda'
    | 'Coding cycles';
  readonly name: string;
  /** How it is set without any configuration. */
  readonly byDefault: string;
  readonly stops: string;
  /** What may happen if somebody relaxes it. */
  readonly risk: string;
  /** File and title, or the beginning of the title, of the test that fails without the control. */
  readonly test: readonly [file: string, title: string];
}

export const controls: readonly Control[] = [
  {
    area: 'Who may use the studio',
    name: 'Trust in the studio’s own page',
    byDefault: 'a browser on this computer that says so with `Sec-Fetch-Site` and `Origin`',
    stops: 'proxies, tunnels, and pages of other sites that reach the port',
    risk: 'whoever reaches the port runs code in sandboxes and reads all projects',
    test: ['test/integration/access.test.ts', 'H2: behind nginx with its default configuration'],
  },
  {
    area: 'Who may use the studio',
    name: 'Key for programs',
    byDefault: '`data/local-key`, readable by the owner only, new at each start',
    stops: 'other users and programs of this computer',
    risk: 'every local program has all rights',
    test: ['test/integration/access.test.ts', 'M5: another user of the computer needs the key'],
  },
  {
    area: 'Who may use the studio',
    name: 'Access token for everybody',
    byDefault: 'required to start where other computers reach the studio (`KODA_ACCESS_TOKEN`)',
    stops: 'strangers on the network',
    risk: 'none: the server does not start without it',
    test: ['test/integration/access.test.ts', 'H1: the server does not start where other computers reach it'],
  },
  {
    area: 'Who may use the studio',
    name: 'localhost stands for this computer only',
    byDefault: 'on, for the studio and `*.localhost`',
    stops: 'neighbours that send `Host: localhost`',
    risk: 'a neighbour passes for a local browser',
    test: ['test/integration/access.test.ts', 'H1: a neighbour who pretends to be this computer gets nothing'],
  },
  {
    area: 'Who may use the studio',
    name: 'Every route needs a caller',
    byDefault: 'all but those for signing in and readiness',
    stops: 'a forgotten check in a new route',
    risk: 'a new route is open to everybody',
    test: ['server/http/route-matrix.test.ts', 'H1: is closed to everybody without a key or a token'],
  },
  {
    area: 'Who may use the studio',
    name: 'Tokens for programs',
    byDefault: 'scopes and projects, for MCP, videos and histories only; at most 16 sessions each',
    stops: 'a program that gains rights, or ends the sessions of others',
    risk: 'a leaked token opens the whole API',
    test: ['server/mcp/sessions.test.ts', 'M6: of one caller never end those of another'],
  },
  {
    area: 'Who may use the studio',
    name: 'Wrong access tokens',
    byDefault: '30 a minute for each address; secrets that cannot be guessed keep working',
    stops: 'programs that guess the access token',
    risk: 'a short token is found',
    test: ['server/http/edge/rate-limit.test.ts', 'M6: of one address are limited'],
  },
  {
    area: 'Sandboxes',
    name: 'No network',
    byDefault: '`NetworkMode: none`',
    stops: 'reaching the host, the engine, the app, siblings, metadata services and the Internet',
    risk: 'data leaves; the inside of the network is reachable',
    test: ['test/integration/probe.test.ts', 'X3: a sandbox reaches no host'],
  },
  {
    area: 'Sandboxes',
    name: 'System calls',
    byDefault: 'an allow-list (`server/sandbox/seccomp.json`)',
    stops: 'AF_ALG, namespaces, io_uring, bpf, keyrings, ptrace, 32-bit calls',
    risk: 'more holes of the kernel are reachable from any sandbox',
    test: ['test/integration/probe.test.ts', 'H4: a sandbox is denied every system call of the list'],
  },
  {
    area: 'Sandboxes',
    name: 'Least privilege',
    byDefault: 'user 1000, no capabilities, read-only root, `no-new-privileges`',
    stops: 'changing the image, becoming root',
    risk: 'a hole in the kernel needs one step less',
    test: ['server/sandbox/container-config.test.ts', 'X3: grants no network, capabilities or new privileges'],
  },
  {
    area: 'Sandboxes',
    name: 'No image layers shared with the broker',
    byDefault: 'on',
    stops: 'writes into the page cache of a file that the broker executes',
    risk: 'a hole of the page-cache class leads from a sandbox to root',
    test: ['test/integration/app-image.test.ts', 'H4: the image of app and broker has no layer'],
  },
  {
    area: 'Sandboxes',
    name: 'Runtime',
    byDefault: 'the engine’s own; `SANDBOX_RUNTIME=runsc` or `kata` adds a second kernel',
    stops: 'a start with a runtime that does not exist',
    risk: 'without a second kernel, one hole in the host’s kernel is enough',
    test: ['test/integration/sandbox-docker.test.ts', 'H4: reports a runtime that the engine lacks'],
  },
  {
    area: 'Sandboxes',
    name: 'Known holes',
    byDefault: 'engine, runc and kernel are compared with a dated list; `doctor` and the start name them',
    stops: 'running unnoticed on vulnerable versions',
    risk: 'late updates',
    test: ['server/sandbox/known-holes.test.ts', 'H4: compares a version with the fix of its own branch'],
  },
  {
    area: 'Sandboxes',
    name: 'CPU shares and order of death',
    byDefault: 'an eighth of the app’s share; first to end without memory',
    stops: 'starving the app, or ending it instead of a sandbox',
    risk: 'one sandbox stops everybody’s work',
    test: ['server/sandbox/container-config.test.ts', 'H7: gives a sandbox an eighth'],
  },
  {
    area: 'Sandboxes',
    name: 'Number of sandboxes',
    byDefault: 'one for each 6 GiB of memory, 1 to 8 (`KODA_SANDBOXES`); further projects wait and see their position',
    stops: '20 opened projects that take all memory',
    risk: 'the machine runs out of memory, and the kernel ends whatever it finds',
    test: ['server/sandbox/manager.test.ts', 'H7: starts at most the configured number'],
  },
  {
    area: 'Sandboxes',
    name: 'Idle sandboxes go first',
    byDefault: 'for a waiting project, the sandbox unused longest is suspended after its files are saved',
    stops: 'sandboxes that keep their place without being used',
    risk: 'everybody waits for those who have left',
    test: ['server/projects/idle-suspender.test.ts', 'H7: suspends the sandbox that has been unused longest'],
  },
  {
    area: 'Sandboxes',
    name: 'Renders share slots while they wait',
    byDefault: 'the slot of a render that waits for a sandbox is lent to one that has its sandbox',
    stops: 'renders and sandboxes that wait for each other',
    risk: 'no render ever starts',
    test: ['server/renders/queue-policy.test.ts', 'H7: a render with a sandbox uses the slot'],
  },
  {
    area: 'Sandboxes',
    name: 'Recovery after a restart',
    byDefault: 'two runs at a time',
    stops: 'all projects that start at once, and end the server again',
    risk: 'a crash repeats itself',
    test: ['server/projects/commands.test.ts', 'H7: resumes at most two runs at a time'],
  },
  {
    area: 'Sandboxes',
    name: 'SVGs and recordings are opened inside',
    byDefault: 'drawn and decoded in the project’s sandbox, with limits for bytes, pixels and seconds',
    stops: 'holes in decoders, scripts, references to files and addresses, bombs',
    risk: 'a speech server or a model attacks the host',
    test: ['test/integration/generated-assets.test.ts', 'T9: decodes a recording, and nothing that is none'],
  },
  {
    area: 'Previews',
    name: 'Connection allowlist',
    byDefault: '`Connection-Allowlist: (response-origin)` on every response',
    stops: 'every connection to another host in Chromium 152 and newer, WebRTC included',
    risk: 'hostile code sends out what it sees',
    test: ['test/e2e/hostile-preview.spec.ts', 'H3: has no exit in the studio’s frame'],
  },
  {
    area: 'Previews',
    name: 'Response headers',
    byDefault: 'an allow-list; Koda’s own policy stands alone',
    stops: 'reports, `Link`, `Refresh`, cookies, instructions to proxies',
    risk: 'whole addresses leave by reports, also inside the studio’s frame',
    test: ['test/integration/preview-proxy.test.ts', 'H3: forwards no early hints'],
  },
  {
    area: 'Previews',
    name: 'Request headers',
    byDefault: 'an allow-list, for upgrades too',
    stops: 'cookies, and identity tokens of single sign-on proxies, from reaching a sandbox',
    risk: 'a preview acts as its visitor',
    test: ['test/integration/preview-proxy.test.ts', 'M7: forwards no identity headers'],
  },
  {
    area: 'Previews',
    name: 'Launch of own tabs',
    byDefault: 'by the studio’s button, once, within a minute; with CSP `sandbox`',
    stops: 'other pages and links that open a preview',
    risk: 'a page of its own can navigate elsewhere with data in the address',
    test: ['test/integration/preview-proxy.test.ts', 'H3: loads as a page of its own only by a launch'],
  },
  {
    area: 'Broker',
    name: 'Typed verbs',
    byDefault: 'ten verbs with a fixed container configuration; the app has no engine socket',
    stops: 'a hijacked app from starting containers of its own shape',
    risk: 'the app’s hole is the host’s',
    test: ['test/integration/sandbox-docker.test.ts', 'M14: starts no more containers than its limit'],
  },
  {
    area: 'Broker',
    name: 'Bounded requests and labels',
    byDefault: '16 KiB, counted while reading; volumes and containers of this instance only',
    stops: 'memory by large bodies; mounting what belongs to another instance',
    risk: 'files cross projects or instances',
    test: ['test/integration/sandbox-docker.test.ts', 'M14: mounts no workspace volume that belongs to another'],
  },
  {
    area: 'Broker',
    name: 'Limits of app and broker',
    byDefault: 'memory, processes, seccomp, no debugger by signal (`compose.yaml`)',
    stops: 'one service that takes the machine',
    risk: 'the host runs out of memory',
    test: ['test/integration/compose.test.ts', 'H7: limits memory and processes of app and broker'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Responses of sandboxes',
    byDefault: 'lists line by line; other JSON is measured before it is parsed',
    stops: 'one response that holds the server for seconds',
    risk: 'every user waits for one hostile project',
    test: ['test/integration/hostile-answers.test.ts', 'H5: do not hold the thread'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Live output of sandboxes',
    byDefault: '4 MiB per second and sandbox; reading pauses beyond it',
    stops: 'floods of events and output',
    risk: 'the server is busy with one sandbox',
    test: ['test/integration/hostile-sandboxes.test.ts', 'H5: the server stays responsive beside sandboxes'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Requests that start work',
    byDefault: '300 a minute for each caller; 1,200 messages of its MCP clients',
    stops: 'a script that starts projects, tools or renders in a loop',
    risk: 'one program takes the time of everybody',
    test: ['server/http/edge/rate-limit.test.ts', 'M6: that one caller starts is limited'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Event streams',
    byDefault: '256 of each caller; 4,000 connections in all',
    stops: 'a program that follows events ten thousand times',
    risk: 'each event is sent to all of them',
    test: ['server/http/edge/rate-limit.test.ts', 'M6: of one caller are limited, and closed ones make room'],
  },
  {
    area: 'The data disk',
    name: 'Tickets for large writes',
    byDefault: 'checked every 8 MiB, in all and per project (`KODA_PROJECT_DISK_MB`)',
    stops: 'uploads, imports, videos and back-ups that fill the disk',
    risk: 'nobody can work until somebody frees space',
    test: ['test/integration/bad-data.test.ts', 'H8: 20 large uploads'],
  },
  {
    area: 'The data disk',
    name: 'One back-up at a time',
    byDefault: 'by POST, with a size check; readers below 64 KiB/s are cut off',
    stops: 'copies of the whole database, made again and again',
    risk: 'the disk fills, and any page can cause it',
    test: ['test/integration/backup.test.ts', 'H8: makes one'],
  },
  {
    area: 'The data disk',
    name: 'Removal on low disk',
    byDefault: 'the oldest deleted project first, and only as many as needed',
    stops: 'losing everybody’s restorable projects at once',
    risk: 'lost restores',
    test: ['server/http/routes/projects.test.ts', 'H8, A24: low disk space'],
  },
  {
    area: 'The data disk',
    name: 'Confirmed expiry',
    byDefault: 'whatever is too old must stay so for an hour of running time; a jump of the clock pauses removal for an hour',
    stops: 'a clock that jumps a day forward',
    risk: 'deleted projects can no longer be restored',
    test: ['server/lib/expiry.test.ts', 'M9: a clock that jumps'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Shared commits of progress',
    byDefault: 'progress events share a transaction every 50 ms; everything else commits at once',
    stops: 'one disk write per streamed event',
    risk: 'streams hold the server, or acknowledged work is lost',
    test: ['server/storage/project-store.test.ts', 'H9: progress of all projects shares a commit'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Work does not grow with history',
    byDefault: 'partial indexes; a bound on the CPU time of each request that reads',
    stops: 'stalls in long-lived projects',
    risk: 'every user waits for one long history',
    test: ['test/integration/scale.test.ts', 'M10: a request that reads'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Git',
    byDefault: '512 MB of memory and 60 s of CPU time for each command, 30 min for those that read whole histories (Linux)',
    stops: 'delta bombs and huge diffs',
    risk: 'git takes all memory beside the server',
    test: ['test/integration/git-limits.test.ts', 'M11: a delta bomb'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Heavy git commands',
    byDefault: 'two at once; others wait in order of arrival',
    stops: 'many diffs, packs and checks at the same time',
    risk: 'the limits of git multiply',
    test: ['server/lib/semaphore.test.ts', 'M11: admits as many as it has slots'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Periodic work',
    byDefault: 'one pass of each job at a time; a failed pass is logged',
    stops: 'a failed read that ends the server, and slow passes that pile up',
    risk: 'an unreadable page interrupts all runs',
    test: ['server/lib/periodic-work.test.ts', 'M12: all periodic work runs through startRecurring'],
  },
  {
    area: 'The server’s time and memory',
    name: 'MCP sessions whose caller cannot be checked',
    byDefault: 'closed',
    stops: 'sessions that outlive a token because its check fails',
    risk: 'a revoked token keeps its rights',
    test: ['server/mcp/sessions.test.ts', 'M12: end if their caller cannot be checked'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Watchdog',
    byDefault: 'ends a server whose thread takes no turn for 30 s of CPU time, or for 10 min; compose restarts it',
    stops: 'a server that hangs until somebody notices',
    risk: 'one hang stops everybody’s work',
    test: ['test/integration/watchdog.test.ts', 'M15: kills a process whose main thread hangs'],
  },
  {
    area: 'The server’s time and memory',
    name: 'Durations',
    byDefault: 'measured by a clock that cannot be set',
    stops: 'a jump of the clock that keeps a service off for a day',
    risk: 'a model or Docker counts as unavailable',
    test: ['server/lib/circuit-breaker.test.ts', 'M9: reopens in time'],
  },
  {
    area: 'Addresses and servers outside Koda',
    name: 'MCP servers in a process of their own',
    byDefault: '256 MB, killed after 10 s of silence, at most 5 requests per second',
    stops: 'hostile lists, schemas, answers and reconnects from holding the app',
    risk: 'the studio stalls for seconds',
    test: ['test/integration/mcp-hostile.test.ts', 'H6: do not hold up the app'],
  },
  {
    area: 'Addresses and servers outside Koda',
    name: 'Addresses are checked at the connection',
    byDefault: 'metadata services never; private addresses by `KODA_PRIVATE_ADDRESSES`',
    stops: 'reading internal services, also by DNS that changes its answer',
    risk: 'credentials of the cloud leak',
    test: ['server/lib/outbound-fetch.test.ts', 'M1: checks the address that it connects to'],
  },
  {
    area: 'Addresses and servers outside Koda',
    name: 'Schedules reach listed places alone',
    byDefault: 'tables from `KODA_FETCH_ADDRESSES`; videos to public addresses and the data folder’s `exports`; no redirects',
    stops: 'a schedule that reads internal services, or writes elsewhere on the disk',
    risk: 'videos replace files of the operator; internal services receive requests',
    test: ['server/schedules/service.test.ts', 'T10: delivers to no address inside the network'],
  },
  {
    area: 'Addresses and servers outside Koda',
    name: 'Permission questions are data',
    byDefault: 'Koda words them and shows the whole input; only a person answers',
    stops: 'a tool or a model that words its own question, tokens that answer it',
    risk: 'data leaves with a click that meant something else',
    test: ['test/integration/mcp-permission.test.ts', 'M2: shows the whole input'],
  },
  {
    area: 'Addresses and servers outside Koda',
    name: 'Web searches ask',
    byDefault: 'once per project, and each time after untrusted content was read; at most 100 characters',
    stops: 'text in an upload that searches for what it has read',
    risk: 'data leaves in queries',
    test: ['test/integration/mcp-permission.test.ts', 'M8: ask once per project'],
  },
  {
    area: 'Addresses and servers outside Koda',
    name: 'Speech server',
    byDefault: 'none; at most 25 MB in two minutes, no redirects, and its words reach nobody (`KODA_SPEECH_URL`)',
    stops: 'answers that never end, and errors that repeat a key or instruct the model',
    risk: 'a server holds the app’s memory',
    test: ['server/tools/speech-server.test.ts', 'T9: that sends a gigabyte is cut off'],
  },
  {
    area: 'Addresses and servers outside Koda',
    name: 'Only reachable history for git',
    byDefault: 'commits of the branch, protocol version 0',
    stops: 'reading deleted work by its id',
    risk: 'old files stay readable',
    test: ['test/integration/clone.test.ts', 'L10: serves no object'],
  },
  {
    area: 'Coding cycles',
    name: 'Records outside the repository',
    byDefault: '`~/.local/state/koda/cycles`, private',
    stops: 'a repository whose own records run code or read files',
    risk: 'a clone executes code on your computer',
    test: ['test/integration/cycle-hostile.test.ts', 'C1: does no harm if'],
  },
  {
    area: 'Coding cycles',
    name: 'No link is followed',
    byDefault: 'on every component of a path, also in a race (Linux)',
    stops: 'writes to hooks, reads of keys',
    risk: 'files outside `src/` are read or written',
    test: ['server/kinds/cycle/cli/folder.test.ts', 'C1: is never left through a link, at any depth'],
  },
  {
    area: 'Coding cycles',
    name: 'Only what git lists is sent, without secrets',
    byDefault: 'on; `--include` names exceptions',
    stops: 'ignored files and keys from reaching a model',
    risk: 'a key is stored in a history for ever',
    test: ['test/integration/cycle-sent.test.ts', 'M4: is nothing if a file looks like a secret'],
  },
  {
    area: 'Coding cycles',
    name: 'Git’s configuration of the repository',
    byDefault: 'hooks, fsmonitor, lazy fetches and embedded repositories are off',
    stops: 'programs that the repository configures',
    risk: 'a clone executes code on your computer',
    test: ['test/integration/cycle-git.test.ts', 'L9: runs no hook, and no program of its configuration'],
  },
];

type Relaxable = Pick<
  Config,
  | 'sandbox'
  | 'brokerSocket'
  | 'publicUrl'
  | 'previewDomain'
  | 'allowedHosts'
  | 'publishedOn'
  | 'host'
  | 'agentPermissions'
  | 'models'
  | 'mcpServersFile'
>;

/** Returns a sentence for each setting that relaxes a control or opens the studio further than the default. */
export function deviationsOf(config: Relaxable): string[] {
  const { sandbox, brokerSocket, publicUrl, previewDomain, allowedHosts, publishedOn, host, agentPermissions, models } = config;
  const foreignHost = allowedHosts.find((name) => !isLoopbackHost(name));
  const address = publishedOn ?? host;
  const open = publicUrl === null || isLoopbackHost(new URL(publicUrl).hostname) ? null : new URL(publicUrl);
  return [
    sandbox === 'process' && 'Sandboxes run without isolation (KODA_SANDBOX=process): use this for code that you trust.',
    sandbox === 'docker' &&
      brokerSocket === null &&
      'The app itself controls the container engine (no KODA_BROKER_SOCKET): a hole in the app is a hole in the host.',
    open?.protocol === 'http:' &&
      `Passwords and tokens travel to ${open.origin} in plain text (KODA_PUBLIC_URL): use HTTPS in front of the studio.`,
    open !== null &&
      previewDomain === 'localhost' &&
      `Live previews work only on this computer, because ${open.hostname} has no subdomains (KODA_PUBLIC_URL): set PREVIEW_DOMAIN to a domain whose subdomains (*.previews.example.org) all lead here.`,
    foreignHost !== undefined && `The studio answers to ${foreignHost} (KODA_ALLOWED_HOSTS): use HTTPS in front of it.`,
    !isLoopbackAddress(address) &&
      !isLoopbackHost(address) &&
      `Other computers reach the studio’s port on ${address}: use HTTPS in front of it.`,
    agentPermissions.size > 0 && `The agent does this without asking: ${[...agentPermissions].join(', ')} (KODA_AGENT_MAY).`,
    models.record && 'All model traffic is stored in data/recordings (KODA_RECORD=1).',
  ].filter((text) => text !== false);
}
