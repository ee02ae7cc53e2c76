import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { StudioClient } from './client.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function clientOf(listener: RequestListener): Promise<StudioClient> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return new StudioClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => null);
}

describe('StudioClient', () => {
  it.each([
    ['a page', '<html>Welcome</html>'],
    ['other JSON', '{"hello":"world"}'],
  ])('G9: says that the address is not a studio’s when %s comes back', async (_what, body) => {
    const client = await clientOf((_request, response) => response.end(body));
    await expect(client.call(routes.project, { id: 'prj_x' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('--url'),
    });
  });

  it('A10: a cancelled command does not wait for the next attempt to connect', async () => {
    const interrupt = new AbortController();
    // Each stream ends at once, so the client's delays grow.
    let streams = 0;
    const client = await clientOf((_request, response) => {
      streams += 1;
      response.end();
      if (streams !== 3) return;
      setTimeout(() => interrupt.abort(), 50);
    });
    const events = client.events('prj_x', { afterSeq: 0, signal: interrupt.signal })[Symbol.asyncIterator]();
    // An aborted timer rejects with this code; an aborted request has no code.
    await expect(events.next()).rejects.toMatchObject({ code: 'ABORT_ERR' });
  });
});
