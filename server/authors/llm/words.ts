import { changeMessageId, type Message, maxTodoAttempts, type Plan } from '#contract/project.ts';
import type { ProjectFacts } from '../assignment.ts';
import type { ModelMessage } from './models/model.ts';

/** The newest messages are sent whole; of older ones only the user's. */
const wholeMessages = 10;

/** With this every opening begins. */
const requestSection = 'request';

/**
 * What a run begins with: what was asked for, planned and said before it (A11). Of earlier messages the user's stay, since
 * a wish may be in any of them.
 */
export function openingText(facts: ProjectFacts): string {
  const { prompt, hints, plan, messages, assets, settled } = facts;
  const wishes = Object.entries(hints).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  const older = messages.slice(0, -wholeMessages).filter(({ role }) => role === 'user');
  const recent = messages.slice(-wholeMessages);
  return [
    section(requestSection, prompt),
    section('asked for beside it', wishes.join('\n')),
    section('uploads', assets.map(({ path, mime, width, height }) => `${path} (${mime}${sizeOf(width, height)})`).join('\n')),
    section('what the user said earlier', older.map(({ content }) => `- ${indented(content)}`).join('\n')),
    section('what the user answered', settled.flatMap(answerLine).join('\n')),
    section('last messages', recent.map(lineOf).join('\n')),
    section(plan?.accepted ? 'accepted plan' : 'plan', plan === null ? '' : planText(plan)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The plan without its document, of which a model reads the outline. */
export function planText(plan: Plan): string {
  const { film: _, change: __, ...outline } = plan;
  return JSON.stringify(outline);
}

/** Whether a text is what a run began with. Pure. */
export function isOpeningText(text: string): boolean {
  return text.startsWith(section(requestSection, ' ').trimEnd());
}

/** An answer to a question; those to plans and previews are in the plan, the todos and the messages. */
function answerLine({ approval, response }: ProjectFacts['settled'][number]): string[] {
  if (approval.type !== 'question') return [];
  if (response.outcome === 'free_text') return [`- ${indented(approval.content)} ${indented(response.text)}`];
  if (response.outcome === 'submitted') return [`- ${indented(approval.content)} ${JSON.stringify(response.values)}`];
  if (response.outcome !== 'option') return [];
  const chosen = approval.options.find(({ id }) => id === response.optionId);
  return [`- ${indented(approval.content)} ${chosen?.label ?? response.optionId}`];
}

/** The project's state; sent again whenever it has changed. */
export function stateText({ phase, todos, messages }: ProjectFacts, offered: readonly string[]): string {
  const list = todos.map(
    ({ id, title, key, status, attempts }) => `${status} ${id} ${key}: ${wishOf(key, messages) ?? title}${tries(attempts)}`,
  );
  return [`phase: ${phase}`, `tools offered now: ${offered.join(', ')}`, ...(list.length > 0 ? ['todos:', ...list] : [])].join(
    '\n',
  );
}

export function userMessage(...texts: readonly string[]): ModelMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

/** What the user said while the model was at work. */
export function heardMessage(texts: readonly string[]): ModelMessage {
  return userMessage(...texts.map((text) => `The user says: ${text}`));
}

/** What has to happen before the turn may end; null when the user is next, or nothing is left to do. */
export function unfinishedText({ phase, todos }: ProjectFacts): string | null {
  switch (phase) {
    case 'idle':
      return 'The user still waits for a plan. Call request_approval with a plan, or with one question if the style is open.';
    case 'question':
      return 'The user cannot see a question in your words alone. Ask it with request_approval.';
    case 'plan':
      return 'The user cannot accept a plan in your words alone. Propose it with request_approval.';
    case 'executing': {
      const open = todos.filter(({ status }) => status === 'pending' || status === 'active');
      if (open.length === 0) return 'The user has not seen anything of it yet. Call render_preview.';
      return `Not done yet: ${open.map(({ id, title }) => `${title} (${id})`).join('; ')}. Go on with your tools; what cannot be done is set to failed, with a message that says why.`;
    }
    case 'preview':
    case 'complete':
    case 'error':
      return null;
  }
}

function section(name: string, text: string): string {
  return text === '' ? '' : `## ${name}\n${text}`;
}

/** A message, in which further lines stand back: none of them can look like a message or a section of its own. */
function lineOf({ role, content }: Message): string {
  return `${role}: ${indented(content)}`;
}

function indented(text: string): string {
  return text.replace(/\r\n|[\r\n\u2028\u2029]/g, '\n    ');
}

/** All of what the user asked for, where a todo's title holds its beginning. */
function wishOf(key: string, messages: readonly Message[]): string | null {
  const id = changeMessageId(key);
  const message = messages.find((one) => one.id === id);
  return message === undefined ? null : `Change: ${indented(message.content)}`;
}

function tries(attempts: number): string {
  return attempts > 1 ? ` (attempt ${attempts} of ${maxTodoAttempts})` : '';
}

function sizeOf(width: number | null, height: number | null): string {
  return width === null || height === null ? '' : `, ${width}×${height}`;
}
