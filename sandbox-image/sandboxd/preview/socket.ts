import { connect, createServer, type Server, type Socket } from 'node:net';
import type { PreviewServer } from '../preview-server.ts';

/** Maximum number of connections, more than any page opens. Further ones are refused. */
const maxConnections = 512;

/** Forwards raw bytes to the dev server, so that WebSockets work too. Closes connections while it is not running. */
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

/** Forwards data and end-of-stream in both directions. An error on one side closes both. */
function join(client: Socket, target: Socket): void {
  client.pipe(target);
  target.pipe(client);
  for (const [one, other] of [
    [client, target],
    [target, client],
  ] as const) {
    one.on('error', () => other.destroy());
    // `destroySoon` delivers pending data first.
    one.on('close', () => other.destroySoon());
  }
}
