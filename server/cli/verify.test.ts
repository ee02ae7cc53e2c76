import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { VerifyLine, VerifyReport } from '#contract/maintenance.ts';
import { StudioClient } from './client.ts';
import { Terminal } from './terminal.ts';
import { printReport, verify } from './verify.ts';

const none = { projects: 0, repositories: 0, checkpoints: 0, assets: 0, renders: 0 };
const clean: VerifyReport = { checked: none, damage: [], warnings: [] };
const progress = { step: 'histories', done: 0, total: 2, projectId: 'prj_a' } as const;

/** Returns the command's output for these lines from a studio, whose response may stay open after the last one. */
async function shown(lines: readonly VerifyLine[], { ends = true }: { ends?: boolean } = {}) {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.once('close', resolve);
    for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
    if (ends) response.end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const interrupt = new AbortController();
  const output: string[] = [];
  class Listening extends Terminal {
    override progress(line: string): void {
      output.push(line);
      if (!ends) interrupt.abort();
    }
    override result(line: string): void {
      output.push(line);
    }
  }
  const client = new StudioClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => null);
  try {
    const context = { client, terminal: new Listening(), signal: interrupt.signal };
    const isWhole = await verify({ dataDir: null, json: false }, context);
    return { isWhole, output };
  } finally {
    if (!ends) await closed;
    server.close();
  }
}

describe('koda verify', () => {
  it('A22: shows progress, then the report', async () => {
    const lines: VerifyLine[] = [
      { type: 'progress', progress },
      { type: 'report', report: clean },
    ];
    const { isWhole, output } = await shown(lines);
    expect(isWhole).toBe(true);
    expect(output).toEqual(['Checking histories: 1 of 2 (prj_a) …', expect.stringContaining('no damage')]);
  });

  it('A22: reports why a check failed, even if it was interrupted', async () => {
    const error = { code: 'STORAGE_FULL', message: 'The disk is full.' } as const;
    await expect(shown([{ type: 'error', error }])).rejects.toMatchObject(error);
    await expect(shown([{ type: 'progress', progress }])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('before it produced a report'),
    });
  });

  it('A22: Ctrl+C also stops the check in the studio', async () => {
    await expect(shown([{ type: 'progress', progress }], { ends: false })).rejects.toThrow(/abort/i);
  });

  it('uses singular and plural', () => {
    const checked = { projects: 1, repositories: 1, checkpoints: 12, assets: 0, renders: 1 };
    expect(printReport({ ...clean, checked })).toEqual([
      'Checked 1 project, 1 history, 12 checkpoints, 0 uploads, 1 video: no damage.',
    ]);
    const warnings: VerifyReport['warnings'] = [{ kind: 'unreferenced', projectId: null, subject: 'x', message: 'y' }];
    expect(printReport({ ...clean, warnings }).at(-1)).toBe(
      'Checked 0 projects, 0 histories, 0 checkpoints, 0 uploads, 0 videos: no damage, 1 warning.',
    );
  });
});
