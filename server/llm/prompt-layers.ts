import { readFileSync } from 'node:fs';
import type { AuthoredKind } from '../projects/author.ts';

const layer = (name: string): string => readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8');
const base = layer('base');
const surfaces = layer('surfaces');

/**
 * Returns the main model's system prompt: how Koda works, surfaces (A2UI) unless the kind chooses its own tools, and the kind's
 * workflow. Tools have their own field in a request (`loop.ts`). The user's context comes later, in messages (`context-text.ts`). Byte-identical in every request, for the service's cache.
 */
export function systemPrompt({ workflow, offeredTools }: Pick<AuthoredKind, 'workflow' | 'offeredTools'>): string {
  const layers = offeredTools === undefined ? [base, surfaces] : [base];
  return [...layers, workflow.prompt].join('\n');
}
