import { changeMessageId, type Message, maxTodoAttempts } from '#contract/project.ts';
import type { AuthorContext } from '../projects/assignment.ts';
import type { ModelMessage } from './models/model.ts';

/** Number of latest messages that are included in full. Of older messages, only the user's are included. */
const wholeMessages = 10;

/** Part of the live preview's error that is repeated in each state. Results of checks have all of it. */
const previewErrorLines = 2;
const previewErrorCharacters = 300;

const requestSection = 'request';

/**
 * Returns a run's initial context: requests, plan and earlier messages. Includes all earlier user messages, because any
 * of them may contain a request.
 */
export function initialContext(context: AuthorContext): string {
  const { prompt, hints, plan, outline, messages, assets, settled } = context;
  const requests = Object.entries(hints).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`],
  );
  const older = messages.slice(0, -wholeMessages).filter(({ role }) => role === 'user');
  const recent = messages.slice(-wholeMessages);
  return [
    section(requestSection, prompt),
    section('asked for beside it', requests.join('\n')),
    section(
      'uploads',
      assets
        .map(
          ({ path, mime, width, height, moves }) =>
            `${path} (${mime}${sizeOf(width, height)}${moves ? ', moves; films show its first frame' : ''})`,
        )
        .join('\n'),
    ),
    section('what the user said earlier', older.map(({ content }) => `- ${indented(content)}`).join('\n')),
    section('what the user answered', settled.flatMap(answerLine).join('\n')),
    section('last messages', recent.map(lineOf).join('\n')),
    section('last surface', lastSurface(messages)),
    section(plan?.accepted ? 'accepted plan' : 'plan', plan === null ? '' : JSON.stringify(outline)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

export function isInitialContext(text: string): boolean {
  return text.startsWith(section(requestSection, ' ').trimEnd());
}

const surfaceCharacters = 6_000;

/** Returns the newest surface in the conversation as one line of JSON, with the values and results that it shows. */
function lastSurface(messages: readonly Message[]): string {
  const last = messages.findLast(({ surface }) => surface !== undefined)?.surface;
  return last === undefined ? '' : JSON.stringify(last).slice(0, surfaceCharacters);
}

/** Formats a response to a question. Responses to plans and previews are visible in the plan, the todos and the messages. */
function answerLine({ approval, response }: AuthorContext['settled'][number]): string[] {
  if (approval.type !== 'question') return [];
  if (response.outcome === 'free_text') return [`- ${indented(approval.content)} ${indented(response.text)}`];
  if (response.outcome === 'submitted') return [`- ${indented(approval.content)} ${JSON.stringify(response.values)}`];
  if (response.outcome !== 'option') return [];
  const chosen = approval.options.find(({ id }) => id === response.optionId);
  return [`- ${indented(approval.content)} ${chosen?.label ?? response.optionId}`];
}

/** Returns the project's state as text. Sent again after each change. */
export function stateText({ phase, todos, messages, previewError }: AuthorContext, offered: readonly string[] | null): string {
  const list = todos.map(
    ({ id, title, key, status, attempts }) =>
      `${status} ${id} ${key}: ${requestText(key, messages) ?? title}${attemptText(attempts)}`,
  );
  return [
    `phase: ${phase}`,
    ...(offered === null ? [] : [`tools offered now: ${offered.join(', ')}`]),
    ...(previewError === null ? [] : [`live preview is broken: ${indented(startOf(previewError.message))}`]),
    ...(list.length > 0 ? ['todos:', ...list] : []),
  ].join('\n');
}

function startOf(error: string): string {
  return error.split('\n', previewErrorLines).join('\n').slice(0, previewErrorCharacters);
}

export function userMessage(...texts: readonly string[]): ModelMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

/** Creates the message for user messages that were queued while the model was running. */
export function queuedMessage(texts: readonly string[]): ModelMessage {
  return userMessage(...texts.map((text) => `The user says: ${text}`));
}

/** Returns what must happen before the turn may end, or `null` if the user must act or nothing is left to do. */
export function unfinishedText({ phase, plan, todos }: AuthorContext): string | null {
  switch (phase) {
    case 'idle':
      return 'The user is still waiting for a plan. Call request_approval with a plan, or with one question if the style is open.';
    case 'question':
      return 'The user cannot see a question that is only in your text. Ask it with request_approval.';
    case 'plan':
      return 'The user cannot accept a plan that is only in your text. Propose it with request_approval.';
    case 'executing': {
      // The turn of a conversation.
      if (plan === null) return null;
      const open = todos.filter(({ status }) => status === 'pending' || status === 'active');
      if (open.length === 0) return 'The user has not seen any of it yet. Call render_preview.';
      return `Not done yet: ${open.map(({ id, title }) => `${title} (${id})`).join('; ')}. Continue with your tools. Mark what cannot be done as failed, with a message that says why.`;
    }
    case 'preview':
    case 'complete':
    case 'conversation':
    case 'error':
      return null;
  }
}

function section(name: string, text: string): string {
  return text === '' ? '' : `## ${name}\n${text}`;
}

/** Formats a message and indents its further lines, so that none can imitate another message or section. */
function lineOf({ role, content }: Message): string {
  return `${role}: ${indented(content)}`;
}

function indented(text: string): string {
  return text.replace(/\r\n|[\r\n\u2028\u2029]/g, '\n    ');
}

/** Returns the full text of a change request. A todo's title has only its start. */
function requestText(key: string, messages: readonly Message[]): string | null {
  const id = changeMessageId(key);
  const message = messages.find((one) => one.id === id);
  return message === undefined ? null : `Change: ${indented(message.content)}`;
}

function attemptText(attempts: number): string {
  return attempts > 1 ? ` (attempt ${attempts} of ${maxTodoAttempts})` : '';
}

function sizeOf(width: number | null, height: number | null): string {
  return width === null || height === null ? '' : `, ${width}×${height}`;
}
