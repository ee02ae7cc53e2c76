import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRequest, defaultGateway, hostGateway, isLocalBrowser } from './this-computer.ts';

const from = (remoteAddress: string | null, headers: Record<string, string> = {}): AccessRequest => ({
  remoteAddress,
  headers: new Headers({ host: 'localhost:3000', 'sec-fetch-site': 'same-origin', ...headers }),
});

const routes = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	000012AC	00000000	0001	0	0	0	0000FFFF	0	0	0
eth0	00000000	010012AC	0003	0	0	0	00000000	0	0	0
`;

const proxyHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
];

describe('browsers on this computer', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])(
    'G11: accepts the address %s',
    (address) => {
      expect(isLocalBrowser(from(address), null)).toBe(true);
    },
  );

  it.each([
    null,
    '',
    '10.0.0.1',
    '192.168.1.1',
    '172.18.0.1',
    '::ffff:10.0.0.1',
    '::2',
    'fe80::1',
    '0.0.0.0',
    '128.0.0.1',
    'localhost',
  ])('G11: rejects the address %s', (address) => {
    expect(isLocalBrowser(from(address), null)).toBe(false);
  });

  it.each(proxyHeaders)('G11: rejects a request that a proxy on this computer passes on: %s', (name) => {
    expect(isLocalBrowser(from('127.0.0.1', { [name]: '127.0.0.1' }), null)).toBe(false);
    expect(isLocalBrowser(from('127.0.0.1', { [name]: '' }), null)).toBe(false);
  });

  it.each(['studio.example.org', 'localhost.example.org', '127.0.0.1.nip.io:3000', '', 'localhost:3000.example.org'])(
    'G11: rejects the host name “%s”, which belongs to a proxy',
    (host) => {
      expect(isLocalBrowser(from('127.0.0.1', { host }), null)).toBe(false);
    },
  );

  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000'])('G11: accepts the host name %s', (host) => {
    expect(isLocalBrowser(from('127.0.0.1', { host }), null)).toBe(true);
  });

  it('H2: rejects what nginx passes on by default: the address and the host of this computer, and nothing else', () => {
    const headers = new Headers({ host: 'localhost:3000', connection: 'close', accept: '*/*', 'user-agent': 'curl/8' });
    expect(isLocalBrowser({ remoteAddress: '127.0.0.1', headers }, null)).toBe(false);
  });

  it.each([
    { origin: 'https://studio.example.org' },
    { origin: 'http://localhost:4000' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', origin: 'null' },
  ])('H2: rejects the page of another site: %o', (headers) => {
    expect(isLocalBrowser(from('127.0.0.1', { ...headers } as Record<string, string>), null)).toBe(false);
  });

  it('H2: accepts the page’s own requests, an address that the user enters, and a link that the user follows', () => {
    expect(isLocalBrowser(from('127.0.0.1', { origin: 'http://localhost:3000' }), null)).toBe(true);
    expect(isLocalBrowser(from('127.0.0.1', { 'sec-fetch-site': 'none' }), null)).toBe(true);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(isLocalBrowser(from('127.0.0.1', link), null)).toBe(true);
  });

  it('G11: accepts the gateway of the container under the same conditions', () => {
    expect(isLocalBrowser(from('172.18.0.1'), '172.18.0.1')).toBe(true);
    expect(isLocalBrowser(from('::ffff:172.18.0.1'), '172.18.0.1')).toBe(true);
    expect(isLocalBrowser(from('172.18.0.2'), '172.18.0.1')).toBe(false);
    expect(isLocalBrowser(from('172.18.0.1', { host: 'studio.example.org' }), '172.18.0.1')).toBe(false);
    expect(isLocalBrowser(from('172.18.0.1', { 'x-forwarded-for': '10.0.0.1' }), '172.18.0.1')).toBe(false);
  });

  it('G11: no header makes another address this computer', () => {
    const values = fc.constantFrom(
      '127.0.0.1',
      '::1',
      'localhost',
      'localhost:3000',
      'for=127.0.0.1',
      '',
      '*',
      'http://localhost:3000',
    );
    const names = fc.constantFrom(...proxyHeaders, 'host', 'origin', 'referer', 'x-remote-addr', 'sec-fetch-site', 'x-caller');
    const addresses = fc
      .oneof(
        fc.ipV4(),
        fc.ipV6(),
        fc.ipV4().map((address) => `::ffff:${address}`),
      )
      .filter(
        (address) =>
          !/^(::ffff:)?127\./.test(address) &&
          new URL(`http://${address.includes(':') ? `[${address}]` : address}`).hostname !== '[::1]',
      );
    fc.assert(
      fc.property(addresses, fc.array(fc.tuple(names, values)), (address, headers) => {
        const own: [string, string][] = [
          ['host', 'localhost:3000'],
          ['sec-fetch-site', 'same-origin'],
        ];
        const request = { remoteAddress: address, headers: new Headers([...own, ...headers]) };
        expect(isLocalBrowser(request, null)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('gateway of a container', () => {
  it('G11: is the default gateway, if the port is published on a loopback address', () => {
    for (const publishedOn of ['127.0.0.1', '::1', '127.0.0.2'])
      expect(hostGateway({ publishedOn, routes: () => routes })).toBe('172.18.0.1');
  });

  it('G11: does not count if the port is published on another address, or not by compose', () => {
    for (const publishedOn of [null, '0.0.0.0', '::', '192.168.1.5', 'localhost.example.org', 'x'])
      expect(hostGateway({ publishedOn, routes: () => routes })).toBeNull();
  });

  it('G11: is unknown without a default route', () => {
    expect(defaultGateway(routes.split('\n').slice(0, 2).join('\n'))).toBeNull();
    expect(defaultGateway('')).toBeNull();
    expect(defaultGateway('x\neth0 00000000 ZZ 0 0 0 0 00000000')).toBeNull();
  });
});
