import type { z } from 'zod';
import { type FoundModel, type FoundServer, type ModelVerdict, modelServerPrograms } from '#contract/model-servers.ts';
import {
  type ModelApi,
  type ModelPath,
  type ModelProvider,
  type ModelSettingsView,
  modelSettingsRequestSchema,
} from '#contract/settings.ts';

export interface ConnectionDraft {
  readonly baseUrl: string;
  readonly orchestrator: string;
  readonly generator: string;
  readonly contextTokens: string;
  readonly modelPath: ModelPath;
  readonly api: ModelApi;
  /** `null` uses the stored key, if there is one. */
  readonly apiKey: string | null;
}

/** Content of the model form. It keeps each provider's fields while another is chosen. */
export interface ModelDraft {
  readonly provider: ModelProvider;
  readonly anthropic: ConnectionDraft;
  readonly server: ConnectionDraft;
}

type Field = keyof ConnectionDraft;
export type ModelRequest = z.input<typeof modelSettingsRequestSchema>;

const empty: ConnectionDraft = {
  baseUrl: '',
  orchestrator: '',
  generator: '',
  contextTokens: '',
  modelPath: 'auto',
  // Nearly every server has it.
  api: 'chat',
  apiKey: null,
};

export function draftOf(view: ModelSettingsView): ModelDraft {
  const set: ConnectionDraft = {
    baseUrl: view.baseUrl ?? '',
    orchestrator: view.orchestrator,
    generator: view.generator,
    contextTokens: view.contextTokens === null ? '' : String(view.contextTokens),
    modelPath: view.modelPath,
    api: view.api,
    apiKey: null,
  };
  return {
    provider: view.provider,
    anthropic: view.provider === 'anthropic' ? set : { ...empty, baseUrl: view.defaults.baseUrl },
    server: view.provider === 'server' ? set : empty,
  };
}

/** Returns the fields for a model of a server that was found. A key belongs to one address, so a new one starts without. */
export function connectionTo({ kind, address }: Pick<FoundServer, 'kind' | 'address'>, model: FoundModel): ConnectionDraft {
  const { name, contextTokens } = model;
  return {
    ...empty,
    baseUrl: address ?? '',
    orchestrator: name,
    contextTokens: contextTokens === null ? '' : String(contextTokens),
    api: modelServerPrograms[kind].api,
  };
}

/** Returns whether a connection uses this model. */
export function uses(
  { baseUrl, orchestrator }: ConnectionDraft,
  { address }: Pick<FoundServer, 'address'>,
  name: string,
): boolean {
  return orchestrator === name && withoutSlash(baseUrl) === address;
}

/** Returns whether a connection has the settings that a test advises. */
export function isAdvised({ modelPath, contextTokens }: ConnectionDraft, verdict: ModelVerdict): boolean {
  return modelPath === verdict.modelPath && (verdict.contextTokens === null || tokensIn(contextTokens) === verdict.contextTokens);
}

export function connectionIn(draft: ModelDraft): ConnectionDraft | null {
  return draft.provider === 'director' ? null : draft[draft.provider];
}

/** Returns whether the server's stored key belongs to the address in the form. */
export function hasKeptKey(draft: ModelDraft, view: ModelSettingsView): boolean {
  const connection = connectionIn(draft);
  return connection !== null && view.keyFor !== null && withoutSlash(connection.baseUrl) === view.keyFor;
}

/** Returns the request that saves or tests the form. */
export function requestOf(draft: ModelDraft): ModelRequest {
  const { provider } = draft;
  if (provider === 'director') return { provider };
  const { baseUrl, orchestrator, generator, contextTokens, modelPath, api, apiKey } = draft[provider];
  const shared = { orchestrator, generator, modelPath, ...(apiKey === null || apiKey.trim() === '' ? {} : { apiKey }) };
  if (provider === 'anthropic') return { provider, ...shared };
  return { provider, baseUrl: baseUrl.trim(), ...shared, api, contextTokens: tokensIn(contextTokens) };
}

function tokensIn(text: string): number | null {
  const tokens = text.replaceAll(/[\s,.]/g, '');
  return tokens === '' ? null : Number(tokens);
}

export interface DraftProblem {
  readonly field: Field;
  readonly text: string;
}

/** Returns why the form cannot be sent, or `null` if it can. The server validates again. */
export function problemOf(draft: ModelDraft, view: ModelSettingsView): DraftProblem | null {
  const connection = connectionIn(draft);
  if (connection === null) return null;
  const isFixed = view.setBy.connection.length > 0;
  const hasKey = hasKeptKey(draft, view) || (connection.apiKey ?? '').trim() !== '';
  const request = requestOf(draft);
  if (request.provider === 'server' && Number.isNaN(request.contextTokens)) {
    return { field: 'contextTokens', text: 'Enter a number, or leave it empty.' };
  }
  const parsed = modelSettingsRequestSchema.safeParse(request);
  const issue = parsed.error?.issues[0];
  const field = issue?.path[0];
  if (issue !== undefined && isField(field)) return { field, text: issue.message };
  if (draft.provider === 'anthropic' && !isFixed && !hasKey)
    return { field: 'apiKey', text: 'Anthropic needs a key. Create one at console.anthropic.com and paste it here.' };
  if (draft.provider === 'server' && connection.orchestrator.trim() === '') {
    return { field: 'orchestrator', text: 'Enter the name of a model on this server.' };
  }
  return null;
}

export function isChanged(draft: ModelDraft, view: ModelSettingsView): boolean {
  return JSON.stringify(requestOf(draft)) !== JSON.stringify(requestOf(draftOf(view)));
}

function isField(name: PropertyKey | undefined): name is Field {
  return typeof name === 'string' && name in empty;
}

function withoutSlash(address: string): string {
  return address.trim().replace(/\/+$/, '');
}
