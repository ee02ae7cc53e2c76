import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { Project } from '#contract/project.ts';
import { type Shell, type ShellLine, shellLineSchema, shellSchema, shellsResponseSchema } from '#contract/sandbox/shells.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { startTestStudio } from '../fixtures/app.ts';
import { type HttpFixture, httpFixture } from '../fixtures/http.ts';
import { providerKinds, signal, type TestProvider, testProvider } from '../fixtures/sandbox.ts';
import { newProject } from '../fixtures/storage.ts';

const size = { columns: 80, rows: 24 };

/** Terminal codes around what a shell writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal code is what is looked for.
const codes = /\u001b(\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007)/g;

describe.each(providerKinds)('shells of the studio over HTTP: %s', (kind) => {
  let place: TestProvider;
  let sandbox: Sandbox;
  let http: HttpFixture;
  let base: string;
  let numbers = 0;

  beforeAll(async () => {
    place = testProvider(kind);
    ({ sandbox } = await place.create());
    http = httpFixture({
      sandboxes: {
        find: async () => sandbox,
        projectOf: () => null,
        restart: async () => undefined,
        remove: async () => undefined,
      },
      heartbeatMs: 200,
    });
    const { id } = await http.stores.projects.create(newProject());
    base = `/api/projects/${id}/shells`;
  });
  afterAll(async () => {
    http?.[Symbol.dispose]();
    await place?.[Symbol.asyncDispose]();
  });

  const open = async (name: string): Promise<Shell> => {
    const answer = await http.send('PUT', `${base}/${name}`, size);
    expect(answer.status).toBe(200);
    return shellSchema.parse(await answer.json());
  };
  const type = (shell: Shell, input: string, order: { writer?: string; number?: number; unanswered?: string } = {}) =>
    http.send('POST', `${base}/${shell.name}/input`, {
      session: shell.session,
      writer: 'test',
      number: ++numbers,
      input,
      ...order,
    });

  /** Reads lines until their text matches, then disconnects. */
  async function read(
    name: string,
    { query = '', until, limit = 5000 }: { query?: string; until: (text: string, line: ShellLine) => boolean; limit?: number },
  ) {
    const answer = await http.call(`${base}/${name}/output${query}`);
    expect(answer.status).toBe(200);
    const lines: ShellLine[] = [];
    let bytes = Buffer.alloc(0);
    let rest = '';
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const whole = (rest + chunk).split('\n');
      rest = whole.pop() ?? '';
      for (const text of whole) {
        const line = shellLineSchema.parse(JSON.parse(text));
        lines.push(line);
        if (line.type === 'output') bytes = Buffer.concat([bytes, Buffer.from(line.base64, 'base64')]);
        if (lines.length > limit) throw new Error(`It did not come in ${limit} lines: ${bytes.toString().slice(-2000)}`);
        if (until(bytes.toString().replaceAll(codes, ''), line))
          return { text: bytes.toString().replaceAll(codes, ''), bytes, lines };
      }
    }
    throw new Error(`The stream ended: ${JSON.stringify(lines.at(-1))}`);
  }
  const has = (wanted: RegExp) => ({ until: (text: string) => wanted.test(text) });
  async function refusal(answer: Response) {
    const { error } = errorEnvelopeSchema.parse(await answer.json());
    return { status: answer.status, code: error.code };
  }

  it('T2: opens a terminal that accepts keys, has a size, and reports its end', async () => {
    const shell = await open('user-1');
    expect(shell).toMatchObject({ name: 'user-1', owner: 'user', ended: false });
    expect((await type(shell, 'stty size; echo $((40 + 2))\r')).status).toBe(200);
    await read('user-1', has(/24 80\r\n42\r\n/));
    expect((await http.send('PUT', `${base}/user-1`, { columns: 61, rows: 21 })).status).toBe(200);
    await type(shell, 'stty size\r');
    await read('user-1', has(/21 61/));
    expect(await open('user-1')).toMatchObject({ session: shell.session });

    await type(shell, 'exit 3\r');
    const { lines } = await read('user-1', { until: (_text, line) => line.type === 'ended' });
    expect(lines.at(-1)).toEqual({ type: 'ended', exitCode: 3 });
    expect(await refusal(await type(shell, 'x'))).toEqual({ status: 409, code: 'CONFLICT' });

    const next = await open('user-1');
    expect(next.session).not.toBe(shell.session);
    // Input for an earlier shell is not typed into a new one with the same name.
    expect(await refusal(await type(shell, 'echo stray\r'))).toEqual({ status: 404, code: 'NOT_FOUND' });
    await type(next, 'echo fresh\r');
    expect((await read('user-1', has(/fresh\r\n/))).text).not.toContain('stray');
    expect((await http.call(`${base}/user-1`, { method: 'DELETE' })).status).toBe(200);
    expect(await refusal(await http.call(`${base}/user-1/output`))).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  it('T2: types repeated input once, and ignores late input of a writer', async () => {
    const shell = await open('user-1');
    const again = { writer: 'page', number: 7 };
    for (let attempt = 0; attempt < 3; attempt++) expect((await type(shell, 'echo a\r', again)).status).toBe(200);
    expect((await type(shell, 'echo late\r', { writer: 'page', number: 6 })).status).toBe(200);
    await type(shell, 'echo other\r', { writer: 'page-2', number: 1 });
    await type(shell, 'echo "e"nd\r', { writer: 'page', number: 8 });
    // The terminal may echo the next line before the output of the last.
    const { text } = await read('user-1', has(/[\r\n]end\r\n/));
    expect(text.match(/[\r\n]a\r\n/g)).toHaveLength(1);
    expect(text).not.toContain('late');
    expect(text).toMatch(/[\r\n]other\r\n/);
  });

  it('T2: types the last input of a closing page once and in order, however much has already arrived', async () => {
    const shell = await open('user-1');
    const left = (writer: string) => {
      const unanswered = 'echo "l"';
      return { unanswered, both: () => type(shell, `eft-${writer}\r`, { writer, number: 2, unanswered }) };
    };
    const [lost, arrived] = [left('lost'), left('arrived')];
    expect((await lost.both()).status).toBe(200);
    // The next line is typed at a new prompt.
    await read('user-1', has(/[\r\n]left-lost\r\n[\s\S]*[$#] $/));
    // This input was overtaken by a later one.
    await type(shell, lost.unanswered, { writer: 'lost', number: 1 });
    await type(shell, arrived.unanswered, { writer: 'arrived', number: 1 });
    for (let attempt = 0; attempt < 2; attempt++) expect((await arrived.both()).status).toBe(200);
    await type(shell, 'echo "all"-there\r');
    const { text } = await read('user-1', has(/[\r\n]all-there\r\n/));
    expect(text.match(/[\r\n]left-\w+\r\n/g)?.map((line) => line.trim())).toEqual(['left-lost', 'left-arrived']);
  });

  it('T2: resumes an interrupted stream after its last byte, and restarts that of another session', async () => {
    const shell = await open('user-2');
    const first = await read('user-2', has(/[$#] $/));
    const at = first.bytes.length;
    await type(shell, 'printf "%s-%s\\n" later on\r');
    const query = `?session=${shell.session}&offset=${at}`;
    const rest = await read('user-2', { query, ...has(/later-on/) });
    expect(rest.lines[0]).toEqual({ type: 'open', session: shell.session, offset: at });
    const whole = await read('user-2', has(/later-on/));
    expect(whole.bytes.subarray(at, at + 10).equals(rest.bytes.subarray(0, 10))).toBe(true);
    const other = await read('user-2', { query: `?session=gone&offset=${at}`, ...has(/later-on/) });
    expect(other.lines[0]).toEqual({ type: 'open', session: shell.session, offset: 0 });
    // A quiet shell still sends heartbeats.
    await read('user-2', { query, until: (_text, line) => line.type === 'alive' });
  });

  it('T2: shows a slow reader the newest output of a flood, and where output is missing', async () => {
    const shell = await open('user-3');
    const totalBytes = 10 * 1024 * 1024;
    await type(shell, `head -c ${totalBytes} /dev/zero | tr "\\0" x; printf "\\nfl%s\\n" ood-end\r`);
    let at = 0;
    let missing = 0;
    const { lines } = await read('user-3', {
      until(text, line) {
        if (line.type === 'output') {
          missing += line.offset - at;
          expect(line.offset).toBeGreaterThanOrEqual(at);
          at = line.offset + Buffer.from(line.base64, 'base64').length;
        }
        return text.includes('flood-end');
      },
    });
    const came = lines.reduce((sum, line) => sum + (line.type === 'output' ? Buffer.from(line.base64, 'base64').length : 0), 0);
    // Each byte arrived, or is reported as missing.
    expect(came + missing).toBe(at);
    expect(at).toBeGreaterThan(totalBytes);
    // A late reader receives the end, with its offset.
    const late = await read('user-3', has(/flood-end/));
    expect(late.lines[0]).toMatchObject({ type: 'open', offset: expect.any(Number) });
    expect((late.lines[0] as { offset: number }).offset).toBeGreaterThan(totalBytes - 256 * 1024);
  });

  it('T2: offers the shells of the agent for reading only', async () => {
    await sandbox.shellExec('main', { command: 'echo of the agent', timeoutMs: 120_000 }, { signal });
    const { items } = shellsResponseSchema.parse(await (await http.call(base)).json());
    expect(items.find(({ name }) => name === 'main')).toMatchObject({ owner: 'agent', ended: false, exitCode: 0 });
    expect(items.find(({ name }) => name === 'user-2')).toMatchObject({ owner: 'user' });
    await read('main', has(/\nof the agent\r\n/));
    const order = { session: items[0]?.session ?? '', writer: 'test', number: 1, input: 'x' };
    for (const attempt of [
      () => http.send('POST', `${base}/main/input`, order),
      () => http.send('PUT', `${base}/main`, size),
      () => http.call(`${base}/main`, { method: 'DELETE' }),
    ])
      expect(await refusal(await attempt())).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect((await sandbox.shells({ signal })).some(({ name }) => name === 'main')).toBe(true);
  });

  it('G9: refuses invalid names, sizes, keys and offsets, and other pages', async () => {
    const shell = await open('user-1');
    const bad = [
      http.send('PUT', `${base}/user-5`, size),
      http.send('PUT', `${base}/user-1`, { columns: 1, rows: 24 }),
      http.send('PUT', `${base}/user-1`, { columns: 80, rows: 100_000 }),
      type(shell, ''),
      type(shell, 'x'.repeat(32_769)),
      type(shell, 'x', { number: 0 }),
      type(shell, 'x', { writer: 'no spaces' }),
      type(shell, 'x', { writer: 'w', number: 1, unanswered: 'y' }),
      http.call(`${base}/user-1/output?offset=-1`),
      http.call(`${base}/..%2fhealth/output`),
    ];
    for (const answer of bad) expect(await refusal(await answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    const nobody = base.replace(/prj_\w+/, newId('prj'));
    expect(await refusal(await http.call(nobody))).toEqual({ status: 404, code: 'NOT_FOUND' });
    for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const foreign = [
        http.call(base, { headers }),
        http.call(`${base}/user-1/output`, { headers }),
        http.send('PUT', `${base}/user-1`, size, headers),
        http.send('POST', `${base}/user-1/input`, { session: shell.session, writer: 'w', number: 1, input: 'x' }, headers),
        http.call(`${base}/user-1`, { method: 'DELETE', headers }),
      ];
      for (const answer of foreign) expect(await refusal(await answer)).toEqual({ status: 403, code: 'FORBIDDEN' });
    }
  });

  it('T2: disconnected readers free their slots, and too many concurrent ones must wait', async () => {
    await open('user-1');
    const readers = await Promise.all(Array.from({ length: 16 }, () => http.call(`${base}/user-1/output`)));
    expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
    expect(await refusal(await http.call(`${base}/user-1/output`))).toEqual({ status: 429, code: 'RATE_LIMITED' });
    for (const reader of readers) await reader.body?.cancel();
    await read('user-1', has(/[$#] $/));
  });
});

describe('shells of a sandbox that is asleep', () => {
  it('T2 A22: are asked for again once it is up', async () => {
    await using studio = await startTestStudio();
    const { id } = await studio.send<Project>('POST', '/api/projects', { prompt: 'A red ball', start: false });
    const path = `/api/projects/${id}/shells/user-1`;
    const ask = () =>
      studio.call(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(size) });
    const asleep = await ask();
    expect(asleep.status).toBe(503);
    expect(errorEnvelopeSchema.parse(await asleep.json()).error.code).toBe('SERVICE_UNAVAILABLE');
    await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 120_000, interval: 250 });
  });
});
