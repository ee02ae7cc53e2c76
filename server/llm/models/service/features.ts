import type { Refusal } from './failures.ts';

/**
 * Optional features of a service. A request uses those that the model is known to support, and omits any that the
 * service has rejected.
 */
export interface Features {
  /** `tool_choice` may name a required tool. Claude from 5.5 on rejects it. */
  readonly forcedTool: boolean;
  /** `thinking: adaptive`: the model decides how much to think. */
  readonly thinking: boolean;
  readonly effort: boolean;
  readonly caching: boolean;
  /** Streams tool input as it is generated, not once per completed field. */
  readonly eagerInput: boolean;
  readonly images: boolean;
  readonly pastThinking: boolean;
  /** Chat completions: `response_format` can take a JSON schema, which replaces a forced tool. */
  readonly jsonSchema: boolean;
  /** Chat completions: `stream_options` can request the usage. */
  readonly streamedUsage: boolean;
  /** Chat completions: the response's limit is `max_tokens`, otherwise `max_completion_tokens`. */
  readonly maxTokens: boolean;
  /** Chat completions: a user's message may follow a tool's result. Mistral's models reject it. */
  readonly userAfterTool: boolean;
}

/** Features that every service has until it rejects them. */
const common = { pastThinking: true, jsonSchema: true, streamedUsage: true, maxTokens: true, userAfterTool: true };

/** Error messages (HTTP 400 or 422) and the feature that the service rejects with each. The first match counts. */
const rejections: readonly (readonly [RegExp, keyof Features])[] = [
  [/\bsignature\b|thinking` block|redacted_thinking|block is bound/i, 'pastThinking'],
  [/max_completion_tokens/i, 'maxTokens'],
  [/stream_options|include_usage/i, 'streamedUsage'],
  [/response_format|json_?schema/i, 'jsonSchema'],
  [/tool_choice|\bforced tool|\bnot support (?:tools|function calling)\b|--jinja\b/i, 'forcedTool'],
  [/\buser\b['"’]?\s+after\s+(?:role\s+)?['"‘]?tool\b|roles must alternate|invalid_request_message_order/i, 'userAfterTool'],
  [/output_config|\beffort\b/i, 'effort'],
  [/\bthinking\b/i, 'thinking'],
  [/cache_control/i, 'caching'],
  [/eager_input/i, 'eagerInput'],
  [/\bimages?\b|\bvision\b|\bimage_url\b|\bmulti-?modal\b/i, 'images'],
];

/** Matches messages that reject images in general… */
const takesNoImages =
  /\b(?:not|cannot|doesn['’]t|don['’]t)\s(?:\w+\s){0,2}?(?:support|accept|allow|permit|enable|take)|\bunsupported\b|\bno endpoints?\b|\bonly supported\b|\bat most 0\b|\bnot an? (?:vision|multi-?modal)\b|does not match any of the expected/i;
/** …but not those about one specific image. */
const oneImage =
  /\b(?:formats?|media.?types?|mime|dimensions?|pixels?|sizes?|exceeds?|[mk]i?b|bytes|resolution|base64|corrupt\w*|decode\w*)\b/i;

export interface RejectedFeature {
  readonly feature: keyof Features;
  /** False if the rejection affects only this request. */
  readonly isLasting: boolean;
}

/** Statuses with which services reject a request's form. llama.cpp rejects tools with 500. */
const rejectionStatuses: ReadonlySet<number | null> = new Set([400, 422]);
const isToolRejection = /--jinja\b/;

/** Returns the requested feature that a service rejects, or `null`. */
export function rejectedFeature({ status, text }: Pick<Refusal, 'status' | 'text'>, requested: Features): RejectedFeature | null {
  if (!rejectionStatuses.has(status) && !isToolRejection.test(text)) return null;
  const feature = rejections.find(([pattern, name]) => requested[name] && pattern.test(text))?.[1];
  if (feature === undefined) return null;
  return { feature, isLasting: isLasting(feature, text) };
}

function isLasting(feature: keyof Features, message: string): boolean {
  // Thinking that does not fit one conversation may fit the next, and one bad image does not affect others.
  if (feature === 'pastThinking') return false;
  return feature !== 'images' || (takesNoImages.test(message) && !oneImage.test(message));
}

interface Version {
  readonly line: string;
  /** Version as a number: 406 for version 4.6. */
  readonly number: number;
}

/**
 * Parses `claude-sonnet-5-5` as family “sonnet” and version 505. Returns `null` for other names. A date suffix is not part of
 * the version.
 */
function versionOf(model: string): Version | null {
  const found = /claude-(?<line>[a-z]+)-(?<major>\d{1,2})(?:-(?<minor>\d{1,2}))?(?:-\d{8})?(?!\d)/.exec(model)?.groups;
  if (found?.['line'] === undefined) return null;
  return { line: found['line'], number: Number(found['major']) * 100 + Number(found['minor'] ?? 0) };
}

/**
 * Returns a model's features by its name: adaptive thinking from 4.6, forced tools up to 5.0 (fable and mythos 5.1 and
 * everything from 5.5 reject them). Other models start with the features that every server has. Source: migration guides on
 * platform.claude.com for 4.6 to 5.5.
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
      ...common,
    };
  }
  return {
    forcedTool: version.number <= 500,
    thinking: version.number >= 406,
    effort: version.number >= 405,
    caching: true,
    eagerInput: true,
    images: true,
    ...common,
  };
}

/** Returns whether a model is one of Anthropic's, whatever service offers it. */
export function isClaude(model: string): boolean {
  return versionOf(model) !== null;
}

/** Returns a Claude model's context window (platform.claude.com, models overview), or `null` for other models. */
export function contextTokensOf(model: string): number | null {
  const version = versionOf(model);
  if (version === null) return null;
  return version.number >= 500 || (version.number >= 406 && version.line !== 'haiku') ? 1_000_000 : 200_000;
}
