import { describe, expect, it } from 'vitest';
import { appKind } from '../kinds/app/kind.ts';
import { filmKind } from '../kinds/film/kind.ts';
import { authorFor, usesFormats } from './author-for.ts';
import type { Model } from './models/model.ts';

const claude = { name: 'claude-sonnet-5-5', contextTokens: 200_000 };
const local = { name: 'qwen3:8b', contextTokens: 32_000 };
const small = { name: 'qwen3:4b', contextTokens: 8_192 };

describe('the path of a model', () => {
  it.each([
    ['auto', claude, false, false],
    ['auto', { ...claude, contextTokens: 20_000 }, false, true],
    ['auto', local, false, true],
    ['auto', local, true, false],
    ['auto', small, true, true],
    ['auto', { ...local, contextTokens: null }, true, false],
    ['formats', claude, true, true],
    ['code', small, false, false],
  ] as const)('X2: %s, %o, code requested: %s', (path, model, isCodeRequested, expected) => {
    expect(usesFormats(model, { path, isCodeRequested })).toBe(expected);
  });

  it('X2: is chosen for the kind and by what the user has said', () => {
    const orchestrator = { ...local, kind: 'anthropic', responseTokens: 8_000, supportsImages: false } as Model;
    const models = { orchestrator, generator: orchestrator };
    const of = (kind: Pick<typeof filmKind, 'jsonPath'> | object, requests: readonly string[]) =>
      authorFor(models, { path: 'auto', kind, requests });
    expect(of(filmKind, ['Sales by city'])).toMatchObject({ kind: 'anthropic', name: 'qwen3:8b', canRepair: false });
    expect(of(filmKind, ['Sales by city', 'Draw a cat as code'])).toMatchObject({ name: 'qwen3:8b', canRepair: true });
    expect(of(appKind, ['Write code'])).toMatchObject({ name: 'qwen3:8b', canRepair: false });
    expect(of({}, ['Sales by city'])).toMatchObject({ canRepair: true });
  });
});
