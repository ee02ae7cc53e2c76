import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionProblem, foreignMessage, outboundFetch, type PrivateAddresses } from './outbound-fetch.ts';

let server: Server;
let requests: string[];
beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url === '/away') response.writeHead(307, { location: '/other' });
    response.end('answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const port = () => (server.address() as AddressInfo).port;

/** A resolver whose n-th answer is the n-th list. */
function resolving(...answers: string[][]) {
  const asked: string[] = [];
  const lookup = (hostname: string, _options: object, callback: (error: null, addresses: LookupAddress[]) => void) => {
    const addresses = answers[Math.min(asked.push(hostname), answers.length) - 1] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, lookup };
}

async function problemOf(
  url: string,
  privateAddresses: PrivateAddresses,
  options: { lookup?: ReturnType<typeof resolving>['lookup'] } = {},
) {
  const signal = AbortSignal.timeout(300);
  return await outboundFetch({ privateAddresses, ...options })(url, { signal }).then(
    (response) => response.status,
    (error: unknown) => connectionProblem(error),
  );
}

const refusal = expect.stringContaining('does not contact');
const never = [
  ...['169.254.169.254', '169.254.0.1', '0.0.0.0', '0.1.2.3', '224.0.0.1', '239.255.255.255', '255.255.255.255', '168.63.129.16'],
  ...['192.0.0.192', '100.100.100.200', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
  ...['[fe80::1]', '[ff02::1]', '[::]', '[fd00:ec2::254]', '[fd20:ce::254]', '[::ffff:169.254.169.254]', '[::169.254.169.254]'],
  ...['[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::a9fe:a9fe]', '[2002:a9fe:a9fe::1]', '[2001:0:a9fe:a9fe::1]', '[::ffff:0:a9fe:a9fe]'],
];
const own = ['127.0.0.1', '127.9.9.9', '10.0.0.5', '172.17.0.1', '192.168.1.1', '100.64.0.1', '198.18.0.1', '[::1]', '[fd12::1]'];

describe('outboundFetch', () => {
  it.each(never)('M1: never contacts %s, whatever the operator allows', async (host) => {
    expect(await problemOf(`http://${host}:${port()}/`, 'allow')).toEqual(refusal);
    const { lookup } = resolving([host.replaceAll(/[[\]]/g, '')]);
    if (/[.:]/.test(host) && !host.startsWith('0251'))
      expect(await problemOf('http://a.example/', 'allow', { lookup })).toEqual(refusal);
  });

  it.each(own)('M1: contacts the private address %s only if the operator allows it', async (host) => {
    expect(await problemOf(`http://${host}:${port()}/`, 'refuse')).toEqual(refusal);
    expect(await problemOf(`http://${host}:${port()}/`, 'allow')).not.toEqual(refusal);
  });

  it('M1: checks the address that it connects to, not an earlier answer of the resolver', async () => {
    const rebinding = resolving(['127.0.0.1'], ['169.254.169.254']);
    const fetch = outboundFetch({ privateAddresses: 'allow', lookup: rebinding.lookup });
    const url = `http://studio.example:${port()}/`;
    expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(200);
    expect(connectionProblem(await fetch(url).catch((error: unknown) => error))).toEqual(refusal);
    expect(rebinding.asked).toHaveLength(2);
    expect(requests).toHaveLength(1);
  });

  it('M1: connects to none of the refused addresses among several', async () => {
    const { lookup } = resolving(['169.254.169.254', '127.0.0.1', 'fe80::1']);
    expect(await problemOf(`http://mixed.example:${port()}/`, 'allow', { lookup })).toBe(200);
    expect(await problemOf(`http://mixed.example:${port()}/`, 'refuse', { lookup })).toEqual(refusal);
  });

  it('M1: follows no redirects, even if asked to', async () => {
    const fetch = outboundFetch({ privateAddresses: 'allow' });
    await expect(fetch(`http://127.0.0.1:${port()}/away`, { redirect: 'follow' })).rejects.toThrow();
    expect((await fetch(`http://127.0.0.1:${port()}/away`, { redirect: 'manual' })).status).toBe(307);
    expect(requests).toEqual(['/away', '/away']);
  });
});

it('M1: reports a failed connection by its code, and a foreign message without what could disguise it', async () => {
  const closed = port();
  await new Promise((resolve) => server.close(resolve));
  expect(await problemOf(`http://127.0.0.1:${closed}/`, 'allow')).toBe('it cannot be reached (ECONNREFUSED)');
  expect(foreignMessage(`a\u0000b\u202ec\u200b\n\n  d${'x'.repeat(500)}`)).toBe(`a b c d${'x'.repeat(193)}`);
});
