import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagePath, withControls } from '../scripts/security-page.ts';
import { controls, deviationsOf } from './controls.ts';
import { readConfig } from './lib/config.ts';

const root = join(import.meta.dirname, '..');

describe('the control sheet', () => {
  it.each(controls.map((control) => [control.name, control] as const))('names a test of “%s” that exists', (_name, { test }) => {
    const [file, title] = test;
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  });

  it('is what SECURITY.md shows', () => {
    const page = readFileSync(pagePath, 'utf8');
    // Otherwise run: node scripts/security-page.ts
    expect(page).toBe(withControls(page));
  });

  it('tells which settings relax it, and is silent about the default', () => {
    expect(deviationsOf(readConfig({ KODA_BROKER_SOCKET: '/run/koda-broker/broker.sock' }))).toEqual([]);
    const relaxed = readConfig({
      KODA_SANDBOX: 'process',
      KODA_ALLOWED_HOSTS: 'studio.example.org',
      KODA_HOST: '0.0.0.0',
      KODA_ACCESS_TOKEN: 'a-token-that-is-long-enough',
      KODA_AGENT_MAY: 'discard',
      KODA_RECORD: '1',
    });
    expect(deviationsOf(relaxed)).toEqual([
      expect.stringContaining('KODA_SANDBOX=process'),
      expect.stringContaining('studio.example.org'),
      expect.stringContaining('0.0.0.0'),
      expect.stringContaining('discard'),
      expect.stringContaining('data/recordings'),
    ]);
  });

  it('F2: tells what a public address lacks', () => {
    const deviations = (url: string, domain = '') =>
      deviationsOf(
        readConfig({
          KODA_BROKER_SOCKET: '/run/koda-broker/broker.sock',
          KODA_ACCESS_TOKEN: 'a-token-that-is-long-enough',
          KODA_PUBLIC_URL: url,
          PREVIEW_DOMAIN: domain,
        }),
      );
    expect(deviations('https://koda.example.org')).toEqual([]);
    expect(deviations('http://koda.example.org')).toEqual([expect.stringContaining('plain text')]);
    expect(deviations('https://192.168.1.5')).toEqual([
      expect.stringMatching(/192\.168\.1\.5 has no subdomains.*PREVIEW_DOMAIN/),
    ]);
    expect(deviations('https://[2001:db8::7]', 'previews.example.org')).toEqual([]);
  });
});
