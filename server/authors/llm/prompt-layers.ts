import { readFileSync } from 'node:fs';
import type { KindDefinition } from '../kind.ts';

const layer = (name: string): string => readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8');
const base = layer('base');
const surfaces = layer('surfaces');

/**
 * What the leading model is told of its work, of four layers: how Koda works, what can be shown (A2UI), the definitions
 * of the tools, and the workflow of the kind. Tools have a place of their own in a request (`loop.ts`); the user's context
 * comes after all of it, as messages (`words.ts`). The same byte by byte in every request, for the service's cache.
 */
export function systemPrompt(kind: Pick<KindDefinition, 'prompts'>): string {
  return [base, surfaces, kind.prompts.workflow].join('\n');
}
