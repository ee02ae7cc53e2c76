import { describe, expect, it } from 'vitest';
import type { FoundModel, ModelTest, ModelVerdict } from '#contract/model-servers.ts';
import { abilitiesOf, sizeText } from './model-abilities.ts';

const model: FoundModel = {
  name: 'hearth',
  sizeBytes: 9_000_000_000,
  contextTokens: null,
  allowedContextTokens: 32_768,
  supportsTools: true,
  supportsImages: false,
  writesText: true,
};
const textsOf = (...[found, test]: Parameters<typeof abilitiesOf>) => abilitiesOf(found, test).map(({ text }) => text);

describe('abilities of a model', () => {
  it('X2: says what the server describes, and nothing about the rest', () => {
    expect(textsOf(model, null)).toEqual(['up to 32k tokens', 'calls tools', 'no pictures']);
    expect(textsOf({ ...model, contextTokens: 8_192, supportsTools: null, supportsImages: null }, null)).toEqual(['8k tokens']);
    expect([sizeText(model.sizeBytes), sizeText(null)]).toEqual(['9.0 GB', '']);
  });

  it('X2: says what was measured, once the test is done', () => {
    const step = { figure: 'yes', text: '' };
    const test: ModelTest = {
      ...{ model: 'hearth', durationMs: 1, verdict: null },
      steps: [{ ...step, id: 'pictures', state: 'good' }],
    };
    expect(textsOf(model, test)).toContain('no pictures');
    const verdict: ModelVerdict = {
      ...{ isUsable: true, sentences: [], modelPath: 'formats', contextTokens: null, needsContext: true },
    };
    expect(textsOf(model, { ...test, verdict })).toEqual(['plans films', 'no code', 'sees pictures']);
    expect(textsOf(model, { ...test, verdict: { ...verdict, isUsable: false } })).toEqual(['no films', 'sees pictures']);
  });
});
