import type { Config } from '../config.ts';
import { ProcessProvider } from './process-provider.ts';
import type { SandboxProvider } from './sandbox.ts';
import { openTokens } from './tokens.ts';

/** The way of running sandboxes that the configuration names. */
export function createProvider(config: Config): SandboxProvider {
  const tokens = openTokens(config.dataDir);
  const { instance, socketsDir } = config;
  // Not read as configuration: a child process needs a PATH, and is given no more than it needs.
  return new ProcessProvider({ instance, socketsDir, tokens, environment: process.env });
}
