import type { ApprovalResponse } from '#contract/project.ts';
import type { ApprovalRequest } from '../context.ts';

const allowOnce = 'allow';
const refuse = 'refuse';
const lastingPrefix = 'always-';
const maxShownCharacters = 1_500;

/** Requests permission to call a tool of another server. `subject` identifies the tool, and what it was declared as. */
export function permissionRequest(
  { server, tool, subject }: { readonly server: string; readonly tool: string; readonly subject: string },
  input: unknown,
): ApprovalRequest {
  const whole = JSON.stringify(input, null, 2) ?? 'null';
  const shown = whole.length <= maxShownCharacters ? whole : `${whole.slice(0, maxShownCharacters).toWellFormed()}…`;
  return {
    type: 'permission',
    content: `May Koda use “${tool}” of the server “${server}”? It would send:\n\n${shown}`,
    options: [
      { id: allowOnce, label: 'Allow once' },
      { id: `${lastingPrefix}${subject}`, label: 'Allow for this project' },
      { id: refuse, label: 'Refuse' },
    ],
    plan: null,
  };
}

/** Returns why a call is not allowed, or `null` if it is. */
export function refusalOf(response: ApprovalResponse): string | null {
  if (response.outcome === 'option' && response.optionId === allowOnce) return null;
  if (isLasting(response)) return null;
  if (response.outcome === 'free_text') return `The user did not allow this call, and wrote: ${response.text}`;
  return 'The user did not allow this call.';
}

/** Returns whether a response also answers later requests for the same subject in the project. */
export function isLasting(response: ApprovalResponse): boolean {
  return response.outcome === 'option' && response.optionId.startsWith(lastingPrefix);
}

/** Returns the option for a user who is not there to decide. */
export const refusingOption = refuse;
