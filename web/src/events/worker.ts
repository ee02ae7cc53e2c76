// The one event stream of all pages of this browser: a SharedWorker.
import { EventHub } from './hub.ts';
import { servePort } from './port-server.ts';

const hub = new EventHub();

/** The scope of a shared worker, which the types of a page do not know. */
interface SharedWorkerScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

(globalThis as unknown as SharedWorkerScope).onconnect = ({ ports }) => {
  const [port] = ports;
  if (port) servePort(port, hub);
};
