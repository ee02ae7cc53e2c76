import { readFileSync } from 'node:fs';
import type { AuthoredKind } from '../kinds/author.ts';

const layer = (name: string): string => readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8');
const base = layer('base');
const surfaces = layer('surfaces');

/**
 * Returns the main model's system prompt. It has four layers: how Koda works, surfaces (A2UI), the tool definitions and the
 * kind's workflow. Tools have their own field in a request (`loop.ts`). The user's context comes later, in messages
 * (`context-text.ts`). Byte-identical in every request, for the service's cache.
 */
export function systemPrompt(kind: Pick<AuthoredKind, 'prompts'>): string {
  return [base, surfaces, kind.prompts.workflow].join('\n');
}
