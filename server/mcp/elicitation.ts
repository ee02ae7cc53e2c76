import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { ElicitRequestFormParams, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Answer, Question } from './tool.ts';

const answerTimeoutMs = 10 * 60_000;

/**
 * Puts a question to the client's user. Returns `null` if the client does not support that, or if the user declines or does not
 * answer in time: the client then finds the question in the result.
 */
export async function askUser(
  server: Server,
  { requestId, signal }: { readonly requestId: RequestId; readonly signal: AbortSignal },
  question: Question,
): Promise<Answer | null> {
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return null;
  const options = { relatedRequestId: requestId, signal, timeout: answerTimeoutMs };
  const asked = await server.elicitInput(formOf(question), options).catch((error: unknown) => {
    signal.throwIfAborted();
    server.onerror?.(error instanceof Error ? error : new Error(String(error)));
    return null;
  });
  if (asked?.action !== 'accept') return null;
  const { option, text } = asked.content ?? {};
  if (typeof text === 'string' && text.trim() !== '') return { text: text.trim().slice(0, 2000) };
  return typeof option === 'string' ? { optionId: option } : null;
}

function formOf({ content, options }: Question): ElicitRequestFormParams {
  const text = { type: 'string' as const, title: options.length > 0 ? 'Or your own answer' : 'Your answer', maxLength: 2000 };
  if (options.length === 0) {
    return { message: content, requestedSchema: { type: 'object', properties: { text }, required: ['text'] } };
  }
  const option = {
    type: 'string' as const,
    title: 'Your choice',
    oneOf: options.map(({ id, label }) => ({ const: id, title: label })),
  };
  return { message: content, requestedSchema: { type: 'object', properties: { option, text } } };
}
