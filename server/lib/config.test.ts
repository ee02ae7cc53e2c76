import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentSchema, readConfig } from './config.ts';

const root = join(import.meta.dirname, '../..');
const assignments = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)];
const example = Object.fromEntries(assignments.map(([, name = '', value = '']) => [name, value]));
const usedByCompose = new Set(readFileSync(join(root, 'compose.yaml'), 'utf8').match(/(?<=\$\{)[A-Z_]+/g));

describe('configuration', () => {
  it('.env.example documents exactly the variables that Koda reads', () => {
    const read = Object.keys(environmentSchema.shape);
    expect(read.filter((name) => !(name in example))).toEqual([]);
    expect(Object.keys(example).filter((name) => !read.includes(name) && !usedByCompose.has(name))).toEqual([]);
    expect(assignments).toHaveLength(new Set(Object.keys(example)).size);
  });

  it('.env.example has a comment above each group, and the actual defaults', () => {
    const lines = readFileSync(join(root, '.env.example'), 'utf8').split('\n');
    const uncommented = lines.filter((line, index) => /^[A-Z_]+=/.test(line) && !/^(#|[A-Z_]+=)/.test(lines[index - 1] ?? ''));
    expect(uncommented).toEqual([]);
    expect(readConfig(example)).toEqual(readConfig({}));
  });

  it('treats an empty value as unset', () => {
    expect(readConfig({ KODA_PORT: '' }).port).toBe(3000);
  });

  it('F2: KODA_PUBLIC_URL gives the studio its address, and the previews their domain', () => {
    const read = (url: string, more: Record<string, string> = {}) =>
      readConfig({ KODA_PUBLIC_URL: url, KODA_ACCESS_TOKEN: 'a-token-that-is-long-enough', ...more });
    expect(readConfig({})).toMatchObject({ publicUrl: null, previewDomain: 'localhost' });
    expect(read('https://Koda.Example.org:443/')).toMatchObject({
      publicUrl: 'https://koda.example.org',
      previewDomain: 'koda.example.org',
    });
    expect(read('https://example.org:8443/koda/')).toMatchObject({
      publicUrl: 'https://example.org:8443/koda',
      previewDomain: 'example.org',
    });
    expect(read('http://[2001:DB8::7]:3000')).toMatchObject({
      publicUrl: 'http://[2001:db8::7]:3000',
      previewDomain: 'localhost',
    });
    expect(read('https://koda.example.org', { PREVIEW_DOMAIN: 'Previews.example.org' }).previewDomain).toBe(
      'previews.example.org',
    );
    // Earlier versions of .env.example set this value.
    expect(read('https://koda.example.org', { PREVIEW_DOMAIN: 'localhost' }).previewDomain).toBe('koda.example.org');
    for (const url of [
      ...['koda.example.org', 'ftp://koda.example.org', 'https://user:word@koda.example.org', 'https://koda.example.org/?a=1'],
      ...['https://koda.example.org/#a', 'https://example.org/a%20b', 'https://example.org/a"b', 'https://example.org/a//b'],
      ...['https://example.org/api', 'https://example.org/p/koda', 'https://example.org/settings/'],
    ])
      expect(() => read(url), url).toThrow('KODA_PUBLIC_URL');
  });

  it('F2: a public address for others needs an access token', () => {
    expect(() => readConfig({ KODA_PUBLIC_URL: 'https://koda.example.org' })).toThrow(
      /KODA_PUBLIC_URL=https:\/\/koda\.example\.org .*KODA_ACCESS_TOKEN/,
    );
    expect(readConfig({ KODA_PUBLIC_URL: 'https://localhost:8443' }).accessToken).toBeNull();
  });

  it("T17: unset run limits keep the project kind's values", () => {
    expect(readConfig({}).runLimits).toEqual({});
    expect(readConfig({ KODA_RUN_MAX_STEPS: '7', KODA_RUN_MAX_COST_USD: '0.5' }).runLimits).toEqual({
      maxSteps: 7,
      maxCostUsd: 0.5,
    });
    expect(() => readConfig({ KODA_RUN_MAX_TOKENS: '0' })).toThrow('KODA_RUN_MAX_TOKENS');
  });

  it('V6: rejects a model address that contains a password, without repeating it', () => {
    const read = () => readConfig({ ANTHROPIC_BASE_URL: 'http://user:canary@localhost:4000', KODA_MODEL: 'x' });
    expect(read).toThrow(/ANTHROPIC_BASE_URL.*password.*ANTHROPIC_API_KEY/);
    expect(read).not.toThrow(/canary/);
  });

  it('X2: reports which model settings the environment fixes', () => {
    expect(readConfig({}).models).toMatchObject({ connection: null, connectionVariables: [], orchestrator: null });
    expect(readConfig({ KODA_MODEL: 'director', ANTHROPIC_API_KEY: 'x' }).models).toMatchObject({
      connection: 'director',
      connectionVariables: ['KODA_MODEL'],
    });
    expect(readConfig({ ANTHROPIC_API_KEY: 'x' }).models).toMatchObject({
      connection: { baseUrl: 'https://api.anthropic.com', apiKey: 'x' },
      connectionVariables: ['ANTHROPIC_API_KEY'],
      orchestrator: null,
    });
    expect(() => readConfig({ KODA_MODEL: 'claude-opus-5' })).toThrow('ANTHROPIC_API_KEY');
    expect(() => readConfig({ ANTHROPIC_BASE_URL: 'http://box:1' })).toThrow('KODA_MODEL');
  });

  it('X2: accepts an idle timeout up to the response timeout', () => {
    expect(readConfig({}).modelSilenceMs).toBe(300_000);
    expect(readConfig({ KODA_MODEL_SILENCE_SECONDS: '900' }).modelSilenceMs).toBe(900_000);
    expect(() => readConfig({ KODA_MODEL_SILENCE_SECONDS: '901' })).toThrow('KODA_MODEL_SILENCE_SECONDS');
  });

  it('M1: allows private addresses unless the operator refuses them', () => {
    expect(readConfig({}).privateAddresses).toBe('allow');
    expect(readConfig({ KODA_PRIVATE_ADDRESSES: 'refuse' }).privateAddresses).toBe('refuse');
    expect(() => readConfig({ KODA_PRIVATE_ADDRESSES: 'no' })).toThrow('KODA_PRIVATE_ADDRESSES');
  });

  it('names each invalid variable', () => {
    expect(() => readConfig({ KODA_PORT: 'x', KODA_SANDBOX: 'vm' })).toThrow(/KODA_PORT.*KODA_SANDBOX.*\.env\.example/s);
  });
});
