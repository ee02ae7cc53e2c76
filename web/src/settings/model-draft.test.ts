import { describe, expect, it } from 'vitest';
import type { ModelVerdict } from '#contract/model-servers.ts';
import type { ModelSettingsView } from '#contract/settings.ts';
import {
  connectionTo,
  draftOf,
  hasKeptKey,
  isAdvised,
  isChanged,
  type ModelDraft,
  problemOf,
  requestOf,
  uses,
} from './model-draft.ts';

const none = { connection: [], orchestrator: [], generator: [], contextTokens: [], modelPath: [], api: [] };
const view: ModelSettingsView = {
  provider: 'director',
  baseUrl: null,
  orchestrator: '',
  generator: '',
  contextTokens: null,
  modelPath: 'auto',
  api: 'messages',
  keyFor: null,
  setBy: none,
  current: { kind: 'director', orchestrator: 'built in', generator: 'built in' },
  defaults: { baseUrl: 'https://api.anthropic.com', orchestrator: 'claude' },
};
const own: ModelSettingsView = {
  ...view,
  provider: 'server',
  baseUrl: 'http://box:1',
  orchestrator: 'qwen',
  contextTokens: 64_000,
  keyFor: 'http://box:1',
};
const typed = (draft: ModelDraft, provider: 'anthropic' | 'server', fields: Partial<ModelDraft['server']>): ModelDraft => ({
  ...draft,
  provider,
  [provider]: { ...draft[provider], ...fields },
});

describe('model form', () => {
  it('X2: starts with the saved settings and sends them back unchanged, without a key', () => {
    expect(requestOf(draftOf(view))).toEqual({ provider: 'director' });
    expect(requestOf(draftOf(own))).toEqual({
      provider: 'server',
      baseUrl: 'http://box:1',
      orchestrator: 'qwen',
      generator: '',
      modelPath: 'auto',
      api: 'messages',
      contextTokens: 64_000,
    });
    expect(isChanged(draftOf(own), own)).toBe(false);
    expect(isChanged(typed(draftOf(own), 'server', { generator: 'coder' }), own)).toBe(true);
    expect(isChanged(typed(draftOf(own), 'server', { apiKey: 'new' }), own)).toBe(true);
    expect(requestOf(typed(draftOf(own), 'server', { modelPath: 'code' }))).toMatchObject({ modelPath: 'code' });
    expect(isChanged(typed(draftOf(own), 'server', { modelPath: 'code' }), own)).toBe(true);
    expect(isChanged({ ...draftOf(own), provider: 'director' }, own)).toBe(true);
  });

  it('V6: uses a stored key for its own address only', () => {
    expect(hasKeptKey(draftOf(own), own)).toBe(true);
    expect(hasKeptKey(typed(draftOf(own), 'server', { baseUrl: 'http://box:1/ ' }), own)).toBe(true);
    expect(hasKeptKey(typed(draftOf(own), 'server', { baseUrl: 'http://box:2' }), own)).toBe(false);
    expect(hasKeptKey(typed(draftOf(own), 'anthropic', {}), own)).toBe(false);
  });

  it.each<[string, ModelDraft, ModelSettingsView, string | null]>([
    ['nothing for the director', draftOf(view), view, null],
    ['a key for Anthropic', typed(draftOf(view), 'anthropic', {}), view, 'apiKey'],
    ['no second key', typed(draftOf(view), 'anthropic', {}), { ...view, keyFor: 'https://api.anthropic.com' }, null],
    [
      'no key that the environment has',
      typed(draftOf(view), 'anthropic', {}),
      { ...view, setBy: { ...none, connection: ['X'] } },
      null,
    ],
    ['an address', typed(draftOf(view), 'server', { orchestrator: 'x' }), view, 'baseUrl'],
    ['an address without a password', typed(draftOf(own), 'server', { baseUrl: 'http://a:b@box' }), own, 'baseUrl'],
    ['a model of the server', typed(draftOf(own), 'server', { orchestrator: ' ' }), own, 'orchestrator'],
    ['a number of tokens', typed(draftOf(own), 'server', { contextTokens: 'many' }), own, 'contextTokens'],
    ['enough of them', typed(draftOf(own), 'server', { contextTokens: '2,000' }), own, 'contextTokens'],
    ['a key without spaces', typed(draftOf(own), 'server', { apiKey: 'a b' }), own, 'apiKey'],
  ])('X2: asks for %s', (_what, draft, shown, field) => {
    expect(problemOf(draft, shown)?.field ?? null).toBe(field);
  });

  it('X2: a new server starts with chat completions, and a saved one keeps its API', () => {
    expect(requestOf(typed(draftOf(view), 'server', { baseUrl: 'http://box:2' }))).toMatchObject({ api: 'chat' });
    expect(requestOf(typed(draftOf(own), 'server', { generator: 'coder' }))).toMatchObject({ api: 'messages' });
    expect(isChanged(typed(draftOf(own), 'server', { api: 'chat' }), own)).toBe(true);
  });

  it('X2: accepts numbers as users write them', () => {
    expect(requestOf(typed(draftOf(own), 'server', { contextTokens: '131,072' }))).toMatchObject({ contextTokens: 131_072 });
  });

  it('X2: takes a model that was found, with the context that its server gives it and no key of another address', () => {
    const server = { kind: 'vllm', address: 'http://127.0.0.1:8000' } as const;
    const unknown = { sizeBytes: null, contextTokens: null, supportsTools: null, supportsImages: null, writesText: true };
    const model = { ...unknown, name: 'hearth', allowedContextTokens: 32_768 };
    const chosen = typed(typed(draftOf(own), 'server', { apiKey: 'typed' }), 'server', connectionTo(server, model));
    expect(requestOf(chosen)).toEqual({
      ...{ provider: 'server', baseUrl: server.address, orchestrator: 'hearth', generator: '' },
      ...{ modelPath: 'auto', api: 'chat', contextTokens: null },
    });
    expect(connectionTo(server, { ...model, contextTokens: 8_192 }).contextTokens).toBe('8192');
    expect(uses(chosen.server, server, 'hearth')).toBe(true);
    expect(uses({ ...chosen.server, baseUrl: `${server.address}/` }, server, 'hearth')).toBe(true);
    expect(uses(chosen.server, server, 'coder')).toBe(false);
  });

  it('X2: compares the settings with those that a test advises', () => {
    const verdict: ModelVerdict = {
      ...{ isUsable: true, sentences: [], modelPath: 'formats', contextTokens: 8_192, needsContext: true },
    };
    const { server } = draftOf(own);
    expect(isAdvised(server, verdict)).toBe(false);
    expect(isAdvised({ ...server, modelPath: 'formats', contextTokens: '8,192' }, verdict)).toBe(true);
    expect(isAdvised({ ...server, modelPath: 'formats' }, { ...verdict, contextTokens: null })).toBe(true);
  });
});
