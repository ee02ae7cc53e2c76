import { z } from 'zod';

/**
 * Ids are lower-case and URL-safe. The prefix names the kind, so that an id in a log or error shows what it belongs to. The
 * random part has at least 80 bits, so ids cannot be guessed.
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
export const tokenIdSchema = id('tok');
export const batchIdSchema = id('bat');
export const scheduleIdSchema = id('sch');
export const scheduleRunIdSchema = id('srn');

export type IdPrefix =
  | 'prj'
  | 'msg'
  | 'todo'
  | 'plan'
  | 'apr'
  | 'run'
  | 'chk'
  | 'rnd'
  | 'ast'
  | 'sbx'
  | 'tok'
  | 'bat'
  | 'sch'
  | 'srn'
  | 'req'
  | 'call';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomSuffix()}`;
}

/** Returns 20 random characters of Crockford's base 32 (100 bits). */
export function randomSuffix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}
