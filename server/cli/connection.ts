import type { StudioClient } from './client.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with. `signal` fires at Ctrl+C. */
export interface Session {
  readonly client: StudioClient;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}
