import { describe, expect, it } from 'vitest';
import { createHostPolicy } from './hosts.ts';

const hosts = createHostPolicy({
  port: () => 3000,
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
    const plain = createHostPolicy({ port: () => 80, allowedHosts: [], previewDomain: 'previews.example.org' });
    expect(plain.classify('localhost').kind).toBe('studio');
    expect(plain.previewUrl('ab12')).toBe('http://ab12.previews.example.org/');
  });
});
