/**
 * What a service may or may not understand of the Messages API. Nothing here is needed: a request is made with what the
 * model is known to take, and what a service refuses is left out from then on.
 */
export interface Features {
  /** `tool_choice` may name the tool that has to be called. Claude from 5.5 on refuses it. */
  readonly forcedTool: boolean;
  /** `thinking: adaptive`: the model decides how much to think. */
  readonly thinking: boolean;
  /** `output_config.effort`. */
  readonly effort: boolean;
  /** `cache_control` on blocks. */
  readonly caching: boolean;
  /** Tool input is sent as it is written, not when a field is complete. */
  readonly eagerInput: boolean;
  /** Pictures in the results of tools. */
  readonly images: boolean;
  /** Thinking of earlier turns is sent back. */
  readonly keptThinking: boolean;
}

/** Words of a refusal (HTTP 400 or 422) that name the feature which a service refuses; the first match counts. */
const refusals: readonly (readonly [RegExp, keyof Features])[] = [
  [/\bsignature\b|thinking` block|redacted_thinking|block is bound/i, 'keptThinking'],
  [/tool_choice|\bforced tool/i, 'forcedTool'],
  [/output_config|\beffort\b/i, 'effort'],
  [/\bthinking\b/i, 'thinking'],
  [/cache_control/i, 'caching'],
  [/eager_input/i, 'eagerInput'],
  [/\bimages?\b|\bvision\b|\bimage_url\b|\bmulti-?modal\b/i, 'images'],
];

/** Words by which a service says that a model takes no pictures at all … */
const takesNoImages =
  /\b(?:not|cannot|doesn['’]t|don['’]t)\s(?:\w+\s){0,2}?(?:support|accept|allow|permit|enable|take)|\bunsupported\b|\bno endpoints?\b|\bonly supported\b|\bat most 0\b|\bnot an? (?:vision|multi-?modal)\b|does not match any of the expected/i;
/** … unless they are about what is wrong with one of them. */
const oneImage =
  /\b(?:formats?|media.?types?|mime|dimensions?|pixels?|sizes?|exceeds?|[mk]i?b|bytes|resolution|base64|corrupt\w*|decode\w*)\b/i;

export interface RefusedFeature {
  readonly feature: keyof Features;
  /** False when it is about this request alone: another one may have it. */
  readonly isLasting: boolean;
}

/** What a refusal is about and was asked for; null when it is about something else. */
export function refusedFeature(message: string, asked: Features): RefusedFeature | null {
  const feature = refusals.find(([words, name]) => asked[name] && words.test(message))?.[1];
  if (feature === undefined) return null;
  return { feature, isLasting: isLasting(feature, message) };
}

function isLasting(feature: keyof Features, message: string): boolean {
  // Thinking that does not fit a conversation says nothing of the next one, nor does one picture of all others.
  if (feature === 'keptThinking') return false;
  return feature !== 'images' || (takesNoImages.test(message) && !oneImage.test(message));
}

interface Version {
  readonly line: string;
  /** 4.6 = 406. */
  readonly number: number;
}

/** `claude-sonnet-5-5` → sonnet, 505; null for other names. A date at the end is no version. */
function versionOf(model: string): Version | null {
  const found = /claude-(?<line>[a-z]+)-(?<major>\d{1,2})(?:-(?<minor>\d{1,2}))?(?:-\d{8})?(?!\d)/.exec(model)?.groups;
  if (found?.['line'] === undefined) return null;
  return { line: found['line'], number: Number(found['major']) * 100 + Number(found['minor'] ?? 0) };
}

/**
 * What a model takes, by its name: adaptive thinking from 4.6, forced tools until 5.0 (5.1 of the fable and mythos lines and
 * everything from 5.5 refuse them). Models that are not Claude are first asked for nothing but what every server has.
 * Source: the migration guides of platform.claude.com for 4.6 to 5.5.
 */
export function featuresOf(model: string): Features {
  const version = versionOf(model);
  if (version === null) {
    return {
      forcedTool: true,
      thinking: false,
      effort: false,
      caching: false,
      eagerInput: false,
      images: false,
      keptThinking: true,
    };
  }
  return {
    forcedTool: version.number <= 500,
    thinking: version.number >= 406,
    effort: version.number >= 405,
    caching: true,
    eagerInput: true,
    images: true,
    keptThinking: true,
  };
}

/** Context windows of Claude (platform.claude.com, models overview); null for models that are not known. */
export function contextTokensOf(model: string): number | null {
  const version = versionOf(model);
  if (version === null) return null;
  return version.number >= 500 || (version.number >= 406 && version.line !== 'haiku') ? 1_000_000 : 200_000;
}
