import type { ModelVerdict } from '#contract/model-servers.ts';
import { minCodeContextTokens, minContextTokens } from '#contract/settings.ts';

export interface Measured {
  readonly answers: boolean;
  readonly codeModelAnswers: boolean;
  /** Whether it calls a tool by itself, or only fills in its input: as text, or if it is forced to. */
  readonly tools: 'called' | 'written' | 'none';
  /** Tokens that it has used. `null` if not measured. */
  readonly contextTokens: number | null;
  readonly images: boolean | null;
  readonly tokensPerSecond: number | null;
}

/** Typical length of the response that makes a film of formats, and of the code of one scene. */
export const formatsTokens = 600;
export const drawnSceneTokens = 4_000;
/** Below this speed, a drawn scene takes longer than anybody waits. */
const minCodeTokensPerSecond = 8;

interface Conditions {
  readonly isFree: boolean;
  /** Whether Koda sends pictures to the model, as it is configured. */
  readonly sendsImages: boolean;
  /** Context that Koda counts on. */
  readonly claimedContextTokens: number | null;
  readonly shortContextTokens: number;
  readonly longContextTokens: number;
}

const unusable = { isUsable: false, modelPath: 'auto', contextTokens: null, needsContext: false } as const;

/** Says what a model is good for, and which settings suit it. */
export function verdictOf(measured: Measured, conditions: Conditions): ModelVerdict {
  const { answers, codeModelAnswers, tools } = measured;
  if (!answers) return { ...unusable, sentences: ['This model does not answer, so Koda cannot use it.'] };
  if (!codeModelAnswers)
    return { ...unusable, sentences: ['The code model does not answer, so Koda cannot use these two together.'] };
  if (tools === 'none') {
    const text = 'Not good for films: it does not fill in the fields that it is asked for. Choose another model.';
    return { ...unusable, sentences: [text] };
  }
  if (conditions.isFree) return verdictByContext(measured, conditions);
  return { ...unusable, isUsable: true, sentences: [goodForFormats, ...(tools === 'called' ? [goodForCode] : [])] };
}

function verdictByContext(measured: Measured, conditions: Conditions): ModelVerdict {
  const { claimedContextTokens, shortContextTokens, longContextTokens, sendsImages } = conditions;
  const { tools, images, tokensPerSecond } = measured;
  const context = measured.contextTokens ?? 0;
  if (context < shortContextTokens) {
    const text = `Too small: a film needs about ${shortContextTokens.toLocaleString('en')} tokens of context. Give it more, then test again.`;
    return { ...unusable, modelPath: 'formats', sentences: [text], needsContext: true };
  }
  const hasCodeContext = context >= longContextTokens && (claimedContextTokens ?? minCodeContextTokens) >= minCodeContextTokens;
  const isFast = tokensPerSecond === null || tokensPerSecond >= minCodeTokensPerSecond;
  const isGoodForCode = tools === 'called' && hasCodeContext && isFast;
  // The setting has a minimum. A context that was not exceeded says nothing about the limit.
  const isKnown = context >= minContextTokens && context < Math.min(claimedContextTokens ?? longContextTokens, longContextTokens);
  const seesPictures = `It sees pictures, so it can check how a scene looks${sendsImages ? '' : declareImages}.`;
  return {
    isUsable: true,
    modelPath: isGoodForCode ? 'code' : 'formats',
    contextTokens: isKnown ? context : null,
    needsContext: tools === 'called' && !hasCodeContext,
    sentences: [
      goodForFormats,
      isGoodForCode ? goodForCode : reasonAgainstCode(measured, { hasCodeContext }),
      ...(isGoodForCode && images === true ? [seesPictures] : []),
    ],
  };
}

const goodForFormats = 'Good for films of formats in one request.';
const declareImages = '; for that, set KODA_MODEL_SEES=yes in .env';
const goodForCode = 'Good for drawing scenes by code too.';

function reasonAgainstCode({ tools }: Measured, { hasCodeContext }: { hasCodeContext: boolean }): string {
  if (tools !== 'called') return 'It does not call tools by itself, so it cannot draw scenes by code.';
  if (!hasCodeContext)
    return `Too small to draw scenes by code: that needs ${minCodeContextTokens.toLocaleString('en')} tokens of context.`;
  return 'Too slow to draw scenes by code.';
}
