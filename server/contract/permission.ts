import { z } from 'zod';
import { formatBytes } from './display.ts';
import { approvalIdSchema } from './ids.ts';
import { visibleText } from './visible-text.ts';

/** Permission for calls that send data out of Koda: what is asked, and what an answer covers. */

/** Other names are refused, because a name with spaces, quotes or invisible characters could word the question itself. */
export const outsideToolName = /^[\w.-]{1,64}$/;

/**
 * `first`: nothing in the project allows the call; `changed`: the tool's declaration or its server's address is another;
 * `shape`: the input has other fields than the one that was allowed, or is larger than `maxLastingBytes`; `untrusted`: the
 * model has read content that may tell it what to send.
 */
export const permissionReasonSchema = z.enum(['first', 'changed', 'shape', 'untrusted']);
export type PermissionReason = z.infer<typeof permissionReasonSchema>;

/** A call that waits for permission, as data. Koda words the question itself. */
export const permissionSchema = z.object({
  /** `null`: Koda's own search of the web. */
  server: z.string().max(24).nullable(),
  tool: z.string().regex(outsideToolName),
  /** Identifies the tool's declaration and its server's address. */
  digest: z.string().max(64),
  /** The whole input, as JSON text. */
  input: z.string(),
  sizeBytes: z.int(),
  reason: permissionReasonSchema,
});
export type Permission = z.infer<typeof permissionSchema>;

export const allowOnce = 'allow';
export const allowLasting = 'always';
export const refuse = 'refuse';

/** A lasting permission covers only small inputs: few secrets fit, and the user has seen which fields are sent. */
export const maxLastingBytes = 200;

/** Uses of a lasting permission. The first one is the call that the user was asked about. */
export const permissionUsesSchema = z.object({
  count: z.int().min(1),
  lastAt: z.iso.datetime(),
  /** The last inputs, newest first. */
  inputs: z.array(z.string()),
});
export type PermissionUses = z.infer<typeof permissionUsesSchema>;
const maxListedInputs = 10;

/** Permission for later calls. It has the id of the approval that gave it. */
export const lastingPermissionSchema = permissionSchema
  .omit({ reason: true, sizeBytes: true })
  .extend({ approvalId: approvalIdSchema, uses: permissionUsesSchema });
export type LastingPermission = z.infer<typeof lastingPermissionSchema>;

export function usedAgain(before: PermissionUses | null, input: string, at: string): PermissionUses {
  const inputs = [input, ...(before?.inputs ?? [])].slice(0, maxListedInputs);
  return { count: (before?.count ?? 0) + 1, lastAt: at, inputs };
}

type Call = Pick<Permission, 'server' | 'tool' | 'digest' | 'input'>;

export const isSameTool = (one: Call, other: Call): boolean => one.server === other.server && one.tool === other.tool;

/** Returns whether a lasting permission could cover calls with this input. */
export function canLast(input: string): boolean {
  return new TextEncoder().encode(input).length <= maxLastingBytes;
}

/** Returns whether a lasting permission covers a call: the same declaration of the same tool, and an input of the same shape. */
export function covers(given: Call, asked: Call): boolean {
  if (!isSameTool(given, asked) || given.digest !== asked.digest) return false;
  return canLast(asked.input) && fieldsOf(given.input) === fieldsOf(asked.input);
}

function fieldsOf(input: string): string {
  const value: unknown = JSON.parse(input);
  return JSON.stringify(typeof value === 'object' && value !== null ? Object.keys(value).sort() : []);
}

export function reasonText(reason: PermissionReason): string {
  switch (reason) {
    case 'first':
      return 'Nothing in this project allows this call yet.';
    case 'changed':
      return 'The server has changed this tool since you allowed it.';
    case 'shape':
      return 'You allowed this tool for this project, but for smaller inputs or other fields.';
    case 'untrusted':
      return 'The model has read content from outside, which may tell it what to send.';
  }
}

/** Formats JSON text for reading. */
export const indentedJson = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);

/** Formats the question as text, for terminals and other programs. */
export function permissionText({ server, tool, input, sizeBytes, reason }: Permission): string {
  return [
    server === null ? 'Permission to search the web' : 'Permission for a tool outside Koda',
    ...(server === null ? [] : [`Server: ${server}`]),
    `Tool: ${tool}`,
    `Why Koda asks: ${reasonText(reason)}`,
    `It would send ${formatBytes(sizeBytes)}:`,
    ...visibleText(indentedJson(input))
      .split('\n')
      .map((line) => `  ${line}`),
  ].join('\n');
}
