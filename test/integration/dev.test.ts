import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';

const script = join(import.meta.dirname, '../../scripts/dev.sh');

/** Requests a preview's address. `fetch` cannot set the Host header. */
async function policyOfPreviews(port: number): Promise<string> {
  const asked = request({ port, host: '127.0.0.1', headers: { host: `nobody.localhost:${port}` } }).end();
  const [answer] = await once(asked, 'response');
  answer.resume();
  return String(answer.headers['content-security-policy']);
}

it('npm run dev serves one page with hot reload that reaches the server and may frame its previews; both processes end together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kd-'));
  const port = await freePort();
  const token = 'a-token-for-everybody';
  const dev = spawn('bash', [script], {
    env: {
      ...process.env,
      KODA_PORT: String(port),
      KODA_SANDBOX: 'process',
      KODA_ALLOWED_HOSTS: 'studio.test',
      KODA_ACCESS_TOKEN: token,
      KODA_DATA_DIR: join(folder, 'data'),
      KODA_SOCKETS_DIR: join(folder, 's'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(dev, 'close');
  let output = '';
  for (const stream of [dev.stdout, dev.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += stripVTControlCharacters(text);
    });
  }
  try {
    const pagePort = () => /Local: +http:\/\/localhost:(\d+)\//.exec(output)?.[1];
    await expect.poll(pagePort).toBeDefined();
    const page = `http://localhost:${pagePort()}`;
    await expect
      .poll(async () => (await fetch(`${page}/api/health`, { headers: { authorization: `Bearer ${token}` } })).status)
      .toBe(200);
    expect(await (await fetch(page)).text()).toContain('/src/main.tsx');
    const policy = await policyOfPreviews(port);
    expect(policy).toContain(`http://localhost:${pagePort()} `);
    expect(policy).toContain('http://studio.test:*');
  } finally {
    dev.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
  await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
});
