import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { anthropicUrl, modelSettingsRequestSchema } from '#contract/settings.ts';
import { readConfig } from '../../lib/config.ts';
import { afterRequest, modelsFor, viewOf, withoutKey } from './resolve.ts';
import { nothingStored, type StoredModels, storedModelsSchema } from './stored.ts';

const key = 'sk-canary-0123456789';
const open = readConfig({}).models;
const env = (variables: Record<string, string>) => readConfig(variables).models;
const request = (value: unknown) => modelSettingsRequestSchema.parse(value);
const changed = (value: unknown, { environment = open, stored = nothingStored } = {}) =>
  afterRequest(environment, stored, request(value));
const shown = (environment = open, stored: StoredModels = nothingStored) =>
  viewOf(environment, stored, { kind: 'x', orchestrator: 'x', generator: 'x' });
const anthropic = changed({ provider: 'anthropic', apiKey: key });

function refusal(work: () => unknown): KodaError {
  try {
    work();
  } catch (error) {
    if (error instanceof KodaError) return error;
  }
  throw new Error('nothing was refused');
}

describe('model selection', () => {
  it('X1: uses the built-in author without settings', () => {
    expect(modelsFor(open, nothingStored)).toBeNull();
    expect(shown()).toMatchObject({ provider: 'director', baseUrl: null, keyFor: null });
  });

  it('X2: uses the settings of the page for everything that the environment leaves open', () => {
    expect(modelsFor(open, anthropic)).toMatchObject({ baseUrl: anthropicUrl, apiKey: key, orchestrator: 'claude-sonnet-5-5' });
    const own = changed({
      provider: 'server',
      baseUrl: 'http://box:11434/',
      orchestrator: 'qwen',
      generator: 'coder',
      contextTokens: 64_000,
    });
    expect(modelsFor(open, own)).toMatchObject({
      baseUrl: 'http://box:11434',
      apiKey: null,
      orchestrator: 'qwen',
      generator: 'coder',
      contextTokens: 64_000,
    });
  });

  it('X2: the environment takes precedence part by part, and the view reports it', () => {
    const environment = env({ ANTHROPIC_API_KEY: 'env-key', KODA_MODEL: 'claude-opus-5' });
    const own = changed({ provider: 'server', baseUrl: 'http://box:1', orchestrator: 'qwen', apiKey: key });
    expect(modelsFor(environment, own)).toMatchObject({
      baseUrl: anthropicUrl,
      apiKey: 'env-key',
      orchestrator: 'claude-opus-5',
      generator: 'claude-opus-5',
    });
    expect(shown(environment, own)).toMatchObject({
      provider: 'anthropic',
      keyFor: anthropicUrl,
      setBy: { connection: ['ANTHROPIC_API_KEY'], orchestrator: ['KODA_MODEL'], generator: [] },
    });
    expect(modelsFor(env({ KODA_MODEL: 'director' }), anthropic)).toBeNull();
  });

  it('X2: chooses how the model makes films: the environment, else the page, else by the model', () => {
    expect(modelsFor(open, anthropic)?.modelPath).toBe('auto');
    const stored = changed({ provider: 'anthropic', apiKey: key, modelPath: 'formats' });
    expect(modelsFor(open, stored)?.modelPath).toBe('formats');
    expect(shown(open, stored)).toMatchObject({ modelPath: 'formats', setBy: { modelPath: [] } });
    const environment = env({ KODA_MODEL_PATH: 'code' });
    expect(modelsFor(environment, stored)?.modelPath).toBe('code');
    expect(shown(environment, stored)).toMatchObject({ modelPath: 'code', setBy: { modelPath: ['KODA_MODEL_PATH'] } });
    const { modelPath: _, ...older } = stored;
    expect(storedModelsSchema.parse(older).modelPath).toBe('auto');
    expect(() => env({ KODA_MODEL_PATH: 'fast' })).toThrow('KODA_MODEL_PATH');
  });

  it('X2: chooses the API of a server: the environment, else the page, else the Messages API', () => {
    const server = { provider: 'server', baseUrl: 'http://box:1', orchestrator: 'qwen' };
    expect(modelsFor(open, changed(server))?.api).toBe('messages');
    const stored = changed({ ...server, api: 'chat' });
    expect(modelsFor(open, stored)?.api).toBe('chat');
    expect(shown(open, stored)).toMatchObject({ api: 'chat', setBy: { api: [] } });
    const environment = env({ KODA_MODEL_API: 'messages' });
    expect(modelsFor(environment, stored)?.api).toBe('messages');
    expect(shown(environment, stored)).toMatchObject({ api: 'messages', setBy: { api: ['KODA_MODEL_API'] } });
    // The page shows it before a server is chosen too.
    expect(shown(env({ KODA_MODEL_API: 'chat' }), nothingStored)).toMatchObject({ provider: 'director', api: 'chat' });
    // The choice concerns this server alone, and Anthropic's service has one API.
    const elsewhere = env({ ANTHROPIC_BASE_URL: 'http://box:2', KODA_MODEL: 'qwen' });
    expect(modelsFor(elsewhere, stored)?.api).toBe('messages');
    const set = env({ ANTHROPIC_BASE_URL: 'http://box:2', KODA_MODEL: 'qwen', KODA_MODEL_API: 'chat' });
    expect(modelsFor(set, nothingStored)?.api).toBe('chat');
    expect(modelsFor(env({ ANTHROPIC_API_KEY: 'k', KODA_MODEL_API: 'chat' }), stored)?.api).toBe('messages');
    const { api: _, ...older } = stored;
    expect(storedModelsSchema.parse(older).api).toBe('messages');
    expect(() => env({ KODA_MODEL_API: 'soap' })).toThrow('KODA_MODEL_API');
  });

  it('X2: model names that the environment leaves open come from the page, for the server that they were chosen for', () => {
    const environment = env({ ANTHROPIC_API_KEY: 'env-key' });
    const stored = changed({ provider: 'anthropic', orchestrator: 'claude-opus-5' }, { environment });
    expect(modelsFor(environment, stored)).toMatchObject({ apiKey: 'env-key', orchestrator: 'claude-opus-5' });
    const elsewhere = env({ ANTHROPIC_BASE_URL: 'http://box:1', KODA_MODEL: 'qwen' });
    expect(modelsFor(elsewhere, { ...stored, generator: 'claude-haiku-4-5' })).toMatchObject({ generator: 'qwen' });
  });
});

describe('changes', () => {
  it('V6: sends a key only to the address that it was set for', () => {
    const moved = changed({ provider: 'server', baseUrl: 'http://evil.example', orchestrator: 'x' }, { stored: anthropic });
    expect(modelsFor(open, moved)).toMatchObject({ baseUrl: 'http://evil.example', apiKey: null });
    expect(shown(open, moved).keyFor).toBe(anthropicUrl);
    expect(modelsFor(open, changed({ provider: 'anthropic' }, { stored: moved }))).toMatchObject({ apiKey: key });
  });

  it('V6: refuses settings that the environment decides, so no request leads its key elsewhere', () => {
    const environment = env({ ANTHROPIC_API_KEY: 'env-key' });
    for (const wish of [
      { provider: 'director' },
      { provider: 'server', baseUrl: 'http://evil.example', orchestrator: 'x' },
      { provider: 'anthropic', apiKey: key },
    ]) {
      expect(refusal(() => changed(wish, { environment }))).toMatchObject({ code: 'CONFLICT', recovery: 'change_environment' });
    }
    expect(refusal(() => withoutKey(environment, nothingStored)).code).toBe('CONFLICT');
    expect(
      refusal(() => changed({ provider: 'anthropic', apiKey: key }, { environment: env({ KODA_MODEL: 'director' }) })).message,
    ).toContain('KODA_MODEL');
  });

  it('X2: rejects settings that cannot work and names the field', () => {
    expect(refusal(() => changed({ provider: 'anthropic' })).details).toMatchObject({ field: 'apiKey' });
    expect(refusal(() => changed({ provider: 'server', baseUrl: 'http://box:1' })).details).toMatchObject({
      field: 'orchestrator',
    });
  });

  it('X1: uses the built-in author if a required key is missing, and a server that needs no key continues', () => {
    expect(withoutKey(open, anthropic)).toEqual(nothingStored);
    const own = changed({ provider: 'server', baseUrl: 'http://box:1', orchestrator: 'qwen', apiKey: key });
    expect(modelsFor(open, withoutKey(open, own))).toMatchObject({ baseUrl: 'http://box:1', apiKey: null });
  });

  it('V6: never includes a key in a view', () => {
    for (const environment of [open, env({ ANTHROPIC_API_KEY: key }), env({ ANTHROPIC_AUTH_TOKEN: key })]) {
      expect(JSON.stringify(shown(environment, anthropic))).not.toContain(key);
    }
  });
});

describe('requests', () => {
  it.each(['ftp://box', 'file:///etc/passwd', 'http://user:word@box', 'box:11434', 'http://box/?x=1', 'javascript:alert(1)'])(
    'V6: an address that is none of a model server is refused: %s',
    (baseUrl) => {
      expect(modelSettingsRequestSchema.safeParse({ provider: 'server', baseUrl, orchestrator: 'x' }).success).toBe(false);
    },
  );

  it('V6: refuses a key that no header can carry, without repeating it', () => {
    for (const apiKey of ['two words', 'line\nbreak', 'quote"d', 'back\\slash', '', 'ü'.repeat(20)]) {
      const { error } = modelSettingsRequestSchema.safeParse({ provider: 'anthropic', apiKey });
      expect(error?.issues[0]?.path).toEqual(['apiKey']);
      if (apiKey !== '') expect(JSON.stringify(error?.issues)).not.toContain(apiKey);
    }
  });
});
