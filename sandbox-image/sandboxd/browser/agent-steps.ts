import { z } from 'zod';
import type { BrowserAction, BrowserReport, PageElement } from '#contract/sandbox/answers.ts';
import { distanceShare } from '../files/similar.ts';
import { invalidRequest, ProtocolError } from '../http.ts';
import { extractedSchema, focusSchema, hitSchema, locatedSchema, type Missing } from '../page/protocol.ts';
import type { AgentPage } from './agent-page.ts';

/** Maximum wait for an element, because many pages load in stages. */
const elementTimeoutMs = 2_000;
const pollIntervalMs = 100;
const settleMs = 250;
const maxSuggestions = 8;

export type StepResult = Pick<BrowserReport, 'element' | 'content' | 'elements' | 'matches' | 'complete' | 'picture'>;
const nothing: StepResult = { element: null, content: null, elements: [], matches: null, complete: true, picture: null };

type Step<Action extends BrowserAction['action']> = Extract<BrowserAction, { action: Action }>;

/** Executes one step. Throws ELEMENT_NOT_FOUND with similar elements, VALIDATION_ERROR or EXECUTION_FAILED. */
export async function executeStep(page: AgentPage, action: BrowserAction, signal: AbortSignal): Promise<StepResult> {
  switch (action.action) {
    case 'navigate':
      await page.run(settleMs, signal);
      return nothing;
    case 'click':
      return await click(page, action, signal);
    case 'type':
      return await type(page, action, signal);
    case 'scroll':
      return await scroll(page, action, signal);
    case 'extract':
      return await extract(page, action, signal);
    case 'screenshot': {
      await page.run(action.waitMs, signal);
      const picture = { mediaType: 'image/jpeg' as const, base64: (await page.capture(signal)).toString('base64') };
      return { ...nothing, picture };
    }
    case 'console':
      return nothing;
  }
}

async function click(page: AgentPage, { selector, text, at }: Step<'click'>, signal: AbortSignal): Promise<StepResult> {
  const named = selector !== null || text !== null;
  if (!named && at === null) throw invalidRequest('A click needs a selector, a text or a point. Specify one of them.');
  const found = named ? await locate(page, { selector, text }, signal) : null;
  const box = found?.element.box ?? { x: 0, y: 0, width: 0, height: 0 };
  const point = at ? { x: box.x + at.x, y: box.y + at.y } : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const element = await page.call(['hit', point.x, point.y], hitSchema, signal);
  if (element === null)
    throw new ProtocolError(
      'ELEMENT_NOT_FOUND',
      `There is no element at ${point.x}, ${point.y}: the point is outside the window.`,
    );
  await page.click(point, signal);
  await page.run(settleMs, signal);
  await page.untilLoaded(signal);
  return { ...nothing, element, matches: found?.matches ?? null };
}

async function type(page: AgentPage, step: Step<'type'>, signal: AbortSignal): Promise<StepResult> {
  const { element, matches } = await locate(page, { selector: step.selector, text: null }, signal);
  const refusal = await page.call(['focus', step.clear], focusSchema, signal);
  if (refusal !== null) throw invalidRequest(`The element ${element.selector} ${refusal}. Choose a text field.`);
  if (step.text !== '') await page.insertText(step.text, signal);
  const typed = await page.call(['describeLocated'], hitSchema, signal);
  if (step.submit) await page.pressEnter(signal);
  await page.run(settleMs, signal);
  await page.untilLoaded(signal);
  return { ...nothing, element: typed ?? element, matches };
}

async function scroll(page: AgentPage, { selector, by }: Step<'scroll'>, signal: AbortSignal): Promise<StepResult> {
  const found = selector === null ? null : await locate(page, { selector, text: null }, signal);
  if (by) await page.call(['scroll', by, found !== null], z.null(), signal);
  await page.run(settleMs, signal);
  return { ...nothing, element: found?.element ?? null, matches: found?.matches ?? null };
}

async function extract(page: AgentPage, { selector, what }: Step<'extract'>, signal: AbortSignal): Promise<StepResult> {
  const deadline = performance.now() + elementTimeoutMs;
  for (;;) {
    const found = await page.call(['extract', selector, what], extractedSchema, signal);
    if (found.problem === 'invalid') throw invalidRequest(`"${selector}" is not a valid CSS selector: ${found.message}`);
    if (found.problem === 'none') return { ...nothing, ...found };
    if (performance.now() > deadline) throw notFound({ selector, text: null }, found);
    await page.run(pollIntervalMs, signal);
  }
}

interface ElementQuery {
  readonly selector: string | null;
  readonly text: string | null;
}

async function locate(
  page: AgentPage,
  query: ElementQuery,
  signal: AbortSignal,
): Promise<{ element: PageElement; matches: number }> {
  const deadline = performance.now() + elementTimeoutMs;
  for (;;) {
    const found = await page.call(['locate', query.selector, query.text], locatedSchema, signal);
    if (found.problem === 'invalid') throw invalidRequest(`"${query.selector}" is not a valid CSS selector: ${found.message}`);
    if (found.problem === 'none' && found.element.visible) return found;
    if (performance.now() > deadline) {
      if (found.problem === 'missing') throw notFound(query, found);
      throw new ProtocolError(
        'ELEMENT_NOT_FOUND',
        `The ${nameOf(query)} exists but is not visible: it is hidden or has no size.`,
        { element: found.element },
      );
    }
    await page.run(pollIntervalMs, signal);
  }
}

function notFound(query: ElementQuery, { candidates }: Missing): ProtocolError {
  const similar = suggestions(query, candidates);
  const hint =
    similar.length > 0
      ? ` Similar elements: ${similar.map(({ selector, text }) => (text === '' ? selector : `${selector} ("${text}")`)).join(', ')}.`
      : ' The page has no elements to suggest. Check its console and a screenshot.';
  return new ProtocolError('ELEMENT_NOT_FOUND', `The page has no ${nameOf(query)}.${hint}`, { similar });
}

function nameOf({ selector, text }: ElementQuery): string {
  if (text === null) return `element "${selector}"`;
  return selector === null ? `element that shows "${text}"` : `element "${selector}" that shows "${text}"`;
}

/** Returns the most similar elements, best first. */
export function suggestions({ selector, text }: ElementQuery, candidates: Missing['candidates']): Missing['candidates'] {
  const distance = (candidate: Missing['candidates'][number]) =>
    Math.min(
      ...[candidate.selector, candidate.selector.split(' > ').at(-1) ?? ''].map((path) =>
        selector === null ? 1 : distanceShare(selector.toLowerCase(), path.toLowerCase()),
      ),
      text === null ? 1 : distanceShare(text.toLowerCase(), candidate.text.toLowerCase()),
    );
  return candidates
    .map((candidate) => ({ candidate, score: distance(candidate) - (candidate.text === '' ? 0 : 0.01) }))
    .sort((a, b) => a.score - b.score)
    .slice(0, maxSuggestions)
    .map(({ candidate }) => candidate);
}
