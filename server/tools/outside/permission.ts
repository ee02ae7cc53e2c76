import { formatBytes } from '#contract/display.ts';
import { allowLasting, allowOnce } from '#contract/permission.ts';
import type { ApprovalResponse } from '#contract/project.ts';
import type { PermissionRequest, ToolContext } from '../context.ts';
import { failed, type ToolResult } from '../tool.ts';

/** Nobody reads more than that before deciding. */
const maxInputBytes = 64 * 1024;

/** Requests permission for a call. Returns `null` if it is given, otherwise the call's result. */
export async function permissionDenial(
  called: Omit<PermissionRequest, 'input' | 'sizeBytes'>,
  input: unknown,
  { requestApproval }: Pick<ToolContext, 'requestApproval'>,
): Promise<ToolResult | null> {
  const json = JSON.stringify(input);
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > maxInputBytes)
    return failed(
      'TOO_LARGE',
      `The input is ${formatBytes(sizeBytes)} long, but the user can review at most ${formatBytes(maxInputBytes)}. Send less.`,
    );
  const { server, tool } = called;
  const response = await requestApproval({
    type: 'permission',
    content: server === null ? 'May Koda search the web?' : `May Koda use the tool ${tool} of the server ${server}?`,
    options: [],
    plan: null,
    permission: { ...called, input: json, sizeBytes },
  });
  if (response === null) return { status: 'suspended' };
  const refusal = refusalOf(response);
  return refusal === null ? null : failed('NOT_PERMITTED', refusal);
}

/** Returns why a call is not allowed, or `null` if it is. */
function refusalOf(response: ApprovalResponse): string | null {
  if (response.outcome === 'option' && [allowOnce, allowLasting].includes(response.optionId)) return null;
  if (response.outcome === 'free_text') return `The user did not allow this call, and wrote: ${response.text}`;
  return 'The user did not allow this call.';
}
