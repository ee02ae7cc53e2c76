import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { closeServer, listen } from './server.ts';

it('closes a connection without a request at once, and lets a response finish', async () => {
  const asked = Promise.withResolvers<void>();
  const unusedClosed = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    asked.resolve();
    void unusedClosed.promise.then(() => response.end('whole'));
  });
  const port = await listen(server, { port: 0, host: '127.0.0.1' });
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  await asked.promise;
  const closing = closeServer(server);
  await once(socket, 'close');
  unusedClosed.resolve();
  expect(await answer).toBe('whole');
  await closing;
});
