// SharedWorker with the one event stream of all pages in this browser.
import { EventHub } from './hub.ts';
import { servePort } from './port-server.ts';

const hub = new EventHub();

/** Scope of a shared worker; the DOM types lack it. */
interface SharedWorkerScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

(globalThis as unknown as SharedWorkerScope).onconnect = ({ ports }) => {
  const [port] = ports;
  if (port) servePort(port, hub);
};
