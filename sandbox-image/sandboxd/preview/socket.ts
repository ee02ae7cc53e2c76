import { connect, createServer, type Server, type Socket } from 'node:net';
import type { PreviewServer } from '../preview-server.ts';

/** More at once than any page opens; beyond it, connections are refused. */
const maxConnections = 512;

/**
 * Carries raw bytes between each connection and the dev server. It knows no HTTP, so that WebSockets and
 * whatever else pass alike. While the dev server does not run, connections are closed at once.
 */
export function createPreviewSocket(preview: Pick<PreviewServer, 'status'>): Server {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const { state, port } = preview.status();
    if (state !== 'running' || port === null) {
      client.destroy();
      return;
    }
    join(client, connect({ host: '127.0.0.1', port, allowHalfOpen: true }));
  });
  server.maxConnections = maxConnections;
  return server;
}

/** Each side's bytes and end go to the other; a failure of one ends both. */
function join(client: Socket, target: Socket): void {
  client.pipe(target);
  target.pipe(client);
  for (const [one, other] of [
    [client, target],
    [target, client],
  ] as const) {
    // What is wrong with one connection, the other side learns by the end of its own.
    one.on('error', () => other.destroy());
    // What is still on its way to the other is delivered first.
    one.on('close', () => other.destroySoon());
  }
}
