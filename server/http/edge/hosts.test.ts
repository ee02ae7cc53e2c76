import { describe, expect, it } from 'vitest';
import { createHostPolicy } from './hosts.ts';

const hosts = createHostPolicy({
  port: () => 3000,
  publicUrl: null,
  allowedHosts: ['studio.example.org', 'dev.example.org:5173'],
  previewDomain: 'localhost',
});

describe('host policy', () => {
  it.each([
    'localhost:3000',
    'LOCALHOST:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'studio.example.org',
    'studio.example.org:8443',
    'dev.example.org:5173',
  ])('A15: %s is the studio', (host) => {
    expect(hosts.classify(host).kind).toBe('studio');
  });

  it.each([
    undefined,
    '',
    'localhost',
    'localhost:3001',
    'evil.example:3000',
    'localhost.evil.example:3000',
    'localhost:3000@evil.example',
    'localhost:3000, evil.example',
    'dev.example.org:3000',
    '127.0.0.1.nip.io:3000',
    '[::1',
    'a.b.localhost:3000',
    '-a.localhost:3000',
    'abc.localhost.:3000',
    'abc.localhost:99999999',
    '.localhost:3000',
  ])('A15: %s is nobody of ours', (host) => {
    expect(hosts.classify(host).kind).toBe('foreign');
  });

  it('A15: a label before the preview domain is a preview, with any port', () => {
    expect(hosts.classify('ab12.localhost:3000')).toEqual({ kind: 'preview', label: 'ab12' });
    expect(hosts.classify('AB12.localhost:443')).toEqual({ kind: 'preview', label: 'ab12' });
    expect(hosts.previewUrl('ab12')).toBe('http://ab12.localhost:3000/');
  });

  it("A15: accepts only the studio's exact origin", () => {
    expect(hosts.isStudioOrigin('http://localhost:3000', 'localhost:3000')).toBe(true);
    expect(hosts.isStudioOrigin('https://studio.example.org', 'studio.example.org')).toBe(true);
    for (const origin of [
      'null',
      'https://localhost:3000',
      'http://localhost',
      'http://127.0.0.1:3000',
      'http://ab12.localhost:3000',
      'http://evil.example',
    ]) {
      expect(hosts.isStudioOrigin(origin, 'localhost:3000'), origin).toBe(false);
    }
  });

  it('A15: omits port 80 from addresses', () => {
    const plain = createHostPolicy({ port: () => 80, publicUrl: null, allowedHosts: [], previewDomain: 'previews.example.org' });
    expect(plain.classify('localhost').kind).toBe('studio');
    expect(plain.previewUrl('ab12')).toBe('http://ab12.previews.example.org/');
  });
});

describe('public address', () => {
  const policy = (publicUrl: string, previewDomain: string) =>
    createHostPolicy({ port: () => 3000, publicUrl, allowedHosts: [], previewDomain });
  const koda = policy('https://example.org:8443/koda', 'example.org');

  it('F2: writes every address with its scheme, port and path', () => {
    expect(koda.studioUrl()).toBe('https://example.org:8443/koda');
    expect(koda.addressFor('localhost:3000')).toBe('https://example.org:8443/koda');
    expect(koda.previewUrl('ab12')).toBe('https://ab12.example.org:8443/');
    expect(koda.previewSources()).toBe('https://*.example.org:8443');
    expect(koda.studioSources()).toBe('https://example.org:8443 http://localhost:3000 http://127.0.0.1:3000');
    expect(koda).toMatchObject({ basePath: '/koda', isSecure: true });
    expect(koda.localUrl()).toBe('http://localhost:3000');
  });

  it('F2: answers to its host, and to the same name without its port', () => {
    for (const host of ['example.org:8443', 'EXAMPLE.org', 'localhost:3000'])
      expect(koda.classify(host).kind, host).toBe('studio');
    for (const host of ['example.org:3000', 'example.org.evil.example', 'org', 'localhost'])
      expect(koda.classify(host).kind, host).toBe('foreign');
    expect(koda.classify('ab12.example.org:8443')).toEqual({ kind: 'preview', label: 'ab12' });
  });

  it('F2: accepts only its exact origin from its host', () => {
    expect(koda.isStudioOrigin('https://example.org:8443', 'example.org:8443')).toBe(true);
    expect(koda.isStudioOrigin('https://example.org:8443', 'example.org')).toBe(true);
    expect(koda.isStudioOrigin('http://localhost:3000', 'localhost:3000')).toBe(true);
    for (const [origin, host] of [
      ['http://example.org:8443', 'example.org:8443'],
      ['http://example.org', 'example.org'],
      ['https://example.org', 'example.org'],
      ['https://ab12.example.org:8443', 'example.org:8443'],
      ['https://example.org:8443', 'localhost:3000'],
      ['null', 'example.org:8443'],
    ] as const)
      expect(koda.isStudioOrigin(origin, host), origin).toBe(false);
    expect(koda.isPreviewOrigin('https://ab12.example.org:8443', 'ab12.example.org', 'ab12')).toBe(true);
    for (const origin of ['http://ab12.example.org:8443', 'https://cd34.example.org:8443', 'https://example.org:8443', 'null'])
      expect(koda.isPreviewOrigin(origin, 'ab12.example.org:8443', 'ab12'), origin).toBe(false);
  });

  it('F2: may be an IPv6 address, which CSP cannot name', () => {
    const six = policy('http://[2001:db8::7]:3000', 'previews.example.org');
    expect(six.classify('[2001:db8::7]:3000').kind).toBe('studio');
    expect(six.isStudioOrigin('http://[2001:db8::7]:3000', '[2001:db8::7]:3000')).toBe(true);
    expect(six.previewUrl('ab12')).toBe('http://ab12.previews.example.org:3000/');
    expect(six.studioSources()).toMatch(/^http:\/\/\*:3000 /);
  });
});
