import { type ModelPath, minCodeContextTokens } from '#contract/settings.ts';
import type { Builder, Converser } from '../projects/author.ts';
import type { Kind } from '../projects/kind.ts';
import { askForJson } from './ask-for-json.ts';
import { languageModel, type Models } from './language-model.ts';
import type { Model } from './models/model.ts';
import { isClaude } from './models/service/features.ts';

/**
 * Creates the author of a project from language models: one that fills in the document of the project's kind in one answer, or one
 * that calls tools and may write code. `requests`: what the user has said so far.
 */
export function authorFor(
  models: Models,
  { path, kind, requests }: { path: ModelPath; kind: Pick<Kind, 'formatsPath'>; requests: readonly string[] },
): Builder | (Builder & Converser) {
  const { formatsPath } = kind;
  const isCodeRequested = requests.some((text) => formatsPath?.isCodeRequest?.(text));
  const mayWriteCode = formatsPath?.isCodeRequest !== undefined;
  if (formatsPath === undefined || (mayWriteCode && !usesFormats(models.orchestrator, { path, isCodeRequested })))
    return languageModel(models);
  const { kind: model, name } = models.orchestrator;
  return { ...formatsPath.author(askForJson(models.orchestrator)), kind: model, name };
}

/** Returns whether a model makes films of formats only. */
export function usesFormats(
  { name, contextTokens }: Pick<Model, 'name' | 'contextTokens'>,
  { path, isCodeRequested }: { path: ModelPath; isCodeRequested: boolean },
): boolean {
  if (path !== 'auto') return path === 'formats';
  const hasRoom = contextTokens === null || contextTokens >= minCodeContextTokens;
  return !hasRoom || !(isCodeRequested || isClaude(name));
}
