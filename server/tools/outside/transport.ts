import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { outboundFetch } from '../../lib/outbound-fetch.ts';
import { limitedFetch, maxMessageBytes } from './limited-fetch.ts';
import { pacedFetch } from './paced-fetch.ts';
import type { Endpoint } from './protocol.ts';

/** Shorter values of an address are words, such as the name of a workspace. */
const minSecretCharacters = 16;

/** Opens a transport. `fail` ends the connection. */
export function openTransport(endpoint: Endpoint, fail: (error: Error) => void): Transport {
  if ('url' in endpoint) {
    const { url, headers, privateAddresses } = endpoint;
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: limitedFetch(pacedFetch(outboundFetch({ privateAddresses }), fail), fail),
      // Redirects to another origin would carry the token, or choose an address within this network.
      redirectPolicy: 'same-origin',
    }) as Transport;
  }
  const { command, args, env } = endpoint;
  // This process has none of Koda's keys in its environment, and the command gets only the usual variables and its own.
  return new StdioClientTransport({
    ...{ command, args: [...args], env: { ...getDefaultEnvironment(), ...env }, maxBufferSize: maxMessageBytes },
  });
}

/** Names of variables whose values a command must not repeat to the model. Shorter values also occur by chance. */
const minValueCharacters = 8;
const secretName = /key|token|secret|passw|credential|auth/i;

/** Returns what a server receives to recognise Koda by. It may repeat that, so it is removed from everything that it sends. */
export function secretsOf(endpoint: Endpoint): string[] {
  if (!('url' in endpoint))
    return Object.entries(endpoint.env).flatMap(([name, value]) =>
      secretName.test(name) && value.length >= minValueCharacters ? [value] : [],
    );
  // Without its scheme, such as “Bearer”.
  const tokens = Object.values(endpoint.headers).map((value) => value.slice(value.indexOf(' ') + 1));
  const keys = [...new URL(endpoint.url).searchParams].flat().filter((value) => value.length >= minSecretCharacters);
  const forms = keys.flatMap((key) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]);
  return [...new Set([...tokens, ...forms])].filter(Boolean).sort((a, b) => b.length - a.length);
}
