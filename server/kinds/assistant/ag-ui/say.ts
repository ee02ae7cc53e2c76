import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { messageRequestSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import { type IdPrefix, projectIdSchema } from '#contract/ids.ts';
import type { Approval, ApprovalResponse } from '#contract/project.ts';
import { questionSurface } from '#contract/surface/question.ts';
import { answerSchema, type RunInput } from '#kinds/assistant/contract/ag-ui.ts';
import { assistantKindId } from '#kinds/assistant/contract/assistant.ts';
import type { Caller } from '../../../access/policies.ts';
import { validationError } from '../../../lib/validation-error.ts';
import type { ProjectCommands } from '../../../projects/commands.ts';
import type { ProjectState, ProjectStore } from '../../../storage/projects.ts';

/**
 * What a client says reaches Koda at most once: a thread's project and a message's id follow from the ids that the client chose, so
 * a repeated request finds both.
 */

/** Returns an id that follows from `names`, like those of `newId`. */
function idFrom(prefix: IdPrefix, ...names: readonly string[]): string {
  return `${prefix}_${createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 32)}`;
}

export const projectOf = ({ threadId }: RunInput, caller: Caller): string =>
  projectIdSchema.safeParse(threadId).success ? threadId : idFrom('prj', caller.id, threadId);

/** Returns the client's ids of its user messages, by Koda's. */
export const clientIdsOf = ({ messages }: RunInput, projectId: string): ReadonlyMap<string, string> =>
  new Map(messages.filter(({ role }) => role === 'user').map(({ id }) => [idFrom('msg', projectId, id), id]));

/** Opens the conversation, and creates it if the thread is new. Throws NOT_FOUND for a project that is none, VALIDATION_ERROR and CONFLICT. */
export async function openConversation(
  { store, commands }: { readonly store: Pick<ProjectStore, 'get'>; readonly commands: ProjectCommands },
  projectId: string,
  input: RunInput,
): Promise<void> {
  const isNamed = projectId === input.threadId;
  const project = await store.get(projectId).catch((error: unknown) => {
    if (isNamed || !(error instanceof KodaError) || error.code !== 'NOT_FOUND') throw error;
    return null;
  });
  if (project === null) {
    const prompt = lastWords(input)?.content;
    if (prompt === undefined)
      throw new KodaError('VALIDATION_ERROR', 'A new thread begins with a message of the user.', {
        details: { field: 'messages' },
        recovery: 'correct_request',
      });
    // The caller sends the first message separately, so a retry after a crash between the two still sends it.
    await commands.create({ kind: assistantKindId, prompt, start: false }, { id: projectId }).catch((error: unknown) => {
      if (!(error instanceof KodaError) || error.code !== 'CONFLICT') throw error;
      throw new KodaError('CONFLICT', 'The conversation of this thread was deleted. Restore it, or send a new threadId.', {
        details: { projectId },
        recovery: 'use_new_thread',
      });
    });
  } else if (project.kind !== assistantKindId) {
    throw new KodaError('NOT_FOUND', 'This project is not a conversation with the assistant.');
  }
}

/** Sends the last message of the user, unless Koda has it. */
export async function sayLastWords(commands: ProjectCommands, state: ProjectState, input: RunInput): Promise<void> {
  const last = lastWords(input);
  if (last === null) return;
  const projectId = state.project.id;
  const id = idFrom('msg', projectId, last.id);
  // A client that loaded the messages from Koda repeats them with Koda's ids.
  if (!state.messages.some((message) => message.id === id || message.id === last.id))
    await commands.message(projectId, last.content, { id });
}

/** Throws VALIDATION_ERROR and TOO_LARGE. */
function lastWords({ messages }: RunInput): { id: string; content: string } | null {
  const last = messages.findLast((message) => message.role === 'user');
  if (last?.role !== 'user') return null;
  const { id, content } = last;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const other = parts.find(({ type }) => type !== 'text');
  if (other !== undefined)
    throw new KodaError(
      'VALIDATION_ERROR',
      `The assistant reads text, and the last message has a part of the type “${other.type}”.`,
      {
        details: { field: 'messages' },
        recovery: 'correct_request',
      },
    );
  const parsed = messageRequestSchema.safeParse({ content: parts.map(({ text = '' }) => text).join('\n') });
  if (!parsed.success) throw validationError(parsed.error, ['messages']);
  return { id, content: parsed.data.content };
}

/** Answers the question that the client was interrupted for. Repeating the answer has no effect. Errors are those of the answer. */
export async function resume(
  commands: ProjectCommands,
  { project, approval, settled }: ProjectState,
  { resume: [entry] }: RunInput,
): Promise<void> {
  if (entry === undefined) return;
  const before = settled.find((one) => one.approval.id === entry.interruptId);
  const asked = before?.approval ?? approval;
  if (asked === null || asked.id !== entry.interruptId) throw notOpen();
  const parsed = answerSchema.safeParse(entry.status === 'cancelled' ? cancelling(asked) : entry.payload);
  if (!parsed.success) throw validationError(parsed.error, ['resume', '0', 'payload']);
  const answer = parsed.data;
  if (before !== undefined) {
    if (isDeepStrictEqual(before.response, responseOf(answer))) return;
    throw notOpen();
  }
  if (!('button' in answer)) return await commands.answer(project.id, { ...answer, approvalId: asked.id });
  const { surfaceId, components } = questionSurface(asked);
  const button = components.get(answer.button);
  if (button?.component !== 'Button')
    throw new KodaError('VALIDATION_ERROR', `“${answer.button}” is not a button of this question.`, {
      details: { field: 'resume.0.payload.button' },
      recovery: 'correct_request',
    });
  const { name } = button.action.event;
  await press(commands, project.id, { name, surfaceId, sourceComponentId: button.id, context: answer.values });
}

const notOpen = () =>
  new KodaError('INVALID_TRANSITION', 'This question is no longer open. Read the messages again.', { recovery: 'show_project' });

function responseOf(answer: z.infer<typeof answerSchema>): ApprovalResponse {
  if ('button' in answer) return { outcome: 'submitted', ...answer };
  return 'text' in answer ? { outcome: 'free_text', text: answer.text } : { outcome: 'option', optionId: answer.optionId };
}

/** Every form of the ready jobs has this button. Other questions get the word as their answer. */
const cancelling = (approval: Approval) =>
  questionSurface(approval).components.has('cancel') ? { button: 'cancel' } : { text: 'Cancel' };

/** Presses a button as a surface's client says it. */
export async function press(
  commands: ProjectCommands,
  projectId: string,
  action: Omit<Parameters<ProjectCommands['act']>[1], 'timestamp'>,
): Promise<void> {
  await commands.act(projectId, { ...action, timestamp: new Date().toISOString() });
}
