import { z } from 'zod';

/**
 * Ids are lower-case, URL-safe and start with a prefix that names the kind, so that an id in a log or
 * an error says what it belongs to. The random part carries at least 80 bits: ids are not guessable.
 */
const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[a-z0-9]{16,32}$`), `expected an id like ${prefix}_…`);

export const projectIdSchema = id('prj');
export const messageIdSchema = id('msg');
export const todoIdSchema = id('todo');
export const planIdSchema = id('plan');
export const approvalIdSchema = id('apr');
export const runIdSchema = id('run');
export const toolCallIdSchema = z.string().min(1).max(128);
export const checkpointIdSchema = id('chk');
export const renderIdSchema = id('rnd');
export const assetIdSchema = id('ast');
export const sandboxIdSchema = id('sbx');

export type IdPrefix = 'prj' | 'msg' | 'todo' | 'plan' | 'apr' | 'run' | 'chk' | 'rnd' | 'ast' | 'sbx' | 'req' | 'call';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new random id: `<prefix>_` and a mark. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${newMark()}`;
}

/** What is random in an id: 20 characters of Crockford's base 32 (100 bits). */
export function newMark(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}
