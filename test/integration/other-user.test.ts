import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const nobody = 65_534;

let folder: string;
beforeAll(() => {
  // `npm test` has a folder of its own, which others may not enter.
  if ((statSync(tmpdir()).mode & 0o001) === 0) chmodSync(tmpdir(), 0o711);
  folder = mkdtempSync(join(tmpdir(), 'koda-user-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command as a user without rights. Returns everything that it said. */
async function asNobody(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: root, uid: nobody, gid: nobody, env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env } };
  return await new Promise((resolve) => {
    execFile(process.execPath, ['server/cli/koda.ts', '--url', 'http://127.0.0.1:1', ...args], options, (_, out, errors) =>
      resolve(out + errors),
    );
  });
}

// Only root can become another user.
describe.skipIf(process.getuid?.() !== 0)('a user without rights', () => {
  it('F7: is told that the database cannot be read, not that there is none', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, 'koda.db'), '');
    const closed = await asNobody(['verify', '--data', data]);
    expect(closed).toContain(`The database in ${data} cannot be read`);
    expect(closed).toContain('Run this command as the user who owns that folder');
    chmodSync(data, 0o755);
    chmodSync(join(data, 'koda.db'), 0o600);
    expect(await asNobody(['verify', '--data', data])).toContain(`The database in ${data} cannot be read`);
    expect(await asNobody(['verify', '--data', join(folder, 'none')])).toContain('There is no database');
  });

  it('F7: is told that Docker may not be used, not that it does not respond', async () => {
    const socket = join(folder, 'docker.sock');
    const server = createServer();
    await new Promise<void>((listening) => server.listen(socket, listening));
    chmodSync(socket, 0o600);
    try {
      const report = await asNobody(['doctor'], { DOCKER_HOST: `unix://${socket}` });
      expect(report).toContain('this user has no permission to use Docker: add the user to the group "docker"');
      expect(report).not.toContain('not responding');
      expect(report).not.toContain('()');
      expect(report).not.toContain('image is not built');
    } finally {
      server.close();
    }
  });

  it('F7: without an engine is told what the engine’s command said', async () => {
    const report = await asNobody(['doctor'], { DOCKER_HOST: `unix://${join(folder, 'no.sock')}` });
    expect(report).toMatch(/the engine is not responding.*\(.*no\.sock.*\)/);
  });
});
