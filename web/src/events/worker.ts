// SharedWorker with the single event stream for all pages in this browser.
import { EventHub } from './hub.ts';
import { servePort } from './port-server.ts';

const hub = new EventHub();

/** Scope of a shared worker, which the DOM types lack. */
interface SharedWorkerScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

(globalThis as unknown as SharedWorkerScope).onconnect = ({ ports }) => {
  const [port] = ports;
  if (port) servePort(port, hub);
};
