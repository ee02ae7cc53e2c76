import { z } from 'zod';
import type { BrowserAction, BrowserReport, PageElement } from '../../../server/contract/sandboxd.ts';
import { distanceShare } from '../files/similar.ts';
import { invalidRequest, ProtocolError } from '../http.ts';
import { extractedSchema, focusSchema, hitSchema, locatedSchema, type Missing } from '../page/protocol.ts';
import type { AgentPage } from './agent-page.ts';

/** How long an element is waited for: most pages draw themselves in steps. */
const elementTimeoutMs = 2_000;
const pollIntervalMs = 100;
/** How long the page runs after it was used, so that what follows from it can be seen. */
const settlingMs = 250;
const maxOffered = 8;

/** Of a report, what the step itself finds; the rest is the page's state. */
export type StepResult = Pick<BrowserReport, 'element' | 'content' | 'elements' | 'matches' | 'complete' | 'picture'>;
const nothing: StepResult = { element: null, content: null, elements: [], matches: null, complete: true, picture: null };

type Step<Action extends BrowserAction['action']> = Extract<BrowserAction, { action: Action }>;

/** Carries out one step on a page that is open. Throws ELEMENT_NOT_FOUND with what is there, VALIDATION_ERROR, EXECUTION_FAILED. */
export async function takeStep(page: AgentPage, action: BrowserAction, signal: AbortSignal): Promise<StepResult> {
  switch (action.action) {
    case 'navigate':
      await page.run(settlingMs, signal);
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
      const picture = { mediaType: 'image/jpeg' as const, base64: (await page.picture(signal)).toString('base64') };
      return { ...nothing, picture };
    }
    case 'console':
      return nothing;
  }
}

async function click(page: AgentPage, { selector, text, at }: Step<'click'>, signal: AbortSignal): Promise<StepResult> {
  const named = selector !== null || text !== null;
  if (!named && at === null) throw invalidRequest('A click needs a selector, a text, or a point.');
  const found = named ? await locate(page, { selector, text }, signal) : null;
  const box = found?.element.box ?? { x: 0, y: 0, width: 0, height: 0 };
  const point = at ? { x: box.x + at.x, y: box.y + at.y } : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const element = await page.ask(['hit', point.x, point.y], hitSchema, signal);
  if (element === null)
    throw new ProtocolError('ELEMENT_NOT_FOUND', `There is nothing at ${point.x}, ${point.y}: that is outside the window.`);
  await page.click(point, signal);
  await page.run(settlingMs, signal);
  return { ...nothing, element, matches: found?.matches ?? null };
}

async function type(page: AgentPage, step: Step<'type'>, signal: AbortSignal): Promise<StepResult> {
  const { element, matches } = await locate(page, { selector: step.selector, text: null }, signal);
  const refusal = await page.ask(['focus', step.clear], focusSchema, signal);
  if (refusal !== null) throw invalidRequest(`The element ${element.selector} ${refusal}. Name a text field.`);
  if (step.text !== '') await page.insertText(step.text, signal);
  const typed = await page.ask(['describeLocated'], hitSchema, signal);
  if (step.submit) await page.pressEnter(signal);
  await page.run(settlingMs, signal);
  return { ...nothing, element: typed ?? element, matches };
}

async function scroll(page: AgentPage, { selector, by }: Step<'scroll'>, signal: AbortSignal): Promise<StepResult> {
  const found = selector === null ? null : await locate(page, { selector, text: null }, signal);
  if (by) await page.ask(['scroll', by, found !== null], z.null(), signal);
  await page.run(settlingMs, signal);
  return { ...nothing, element: found?.element ?? null, matches: found?.matches ?? null };
}

async function extract(page: AgentPage, { selector, what }: Step<'extract'>, signal: AbortSignal): Promise<StepResult> {
  const deadline = performance.now() + elementTimeoutMs;
  for (;;) {
    const found = await page.ask(['extract', selector, what], extractedSchema, signal);
    if (found.problem === 'invalid') throw invalidRequest(`"${selector}" is no CSS selector: ${found.words}`);
    if (found.problem === 'none') return { ...nothing, ...found };
    if (performance.now() > deadline) throw notFound({ selector, text: null }, found);
    await page.run(pollIntervalMs, signal);
  }
}

interface Wanted {
  readonly selector: string | null;
  readonly text: string | null;
}

/** Waits for an element that can be seen, and brings it into view. */
async function locate(page: AgentPage, wanted: Wanted, signal: AbortSignal): Promise<{ element: PageElement; matches: number }> {
  const deadline = performance.now() + elementTimeoutMs;
  for (;;) {
    const found = await page.ask(['locate', wanted.selector, wanted.text], locatedSchema, signal);
    if (found.problem === 'invalid') throw invalidRequest(`"${wanted.selector}" is no CSS selector: ${found.words}`);
    if (found.problem === 'none' && found.element.visible) return found;
    if (performance.now() > deadline) {
      if (found.problem === 'missing') throw notFound(wanted, found);
      throw new ProtocolError(
        'ELEMENT_NOT_FOUND',
        `${nameOf(wanted)} is there, but cannot be seen: it is hidden, or has no size.`,
        { element: found.element },
      );
    }
    await page.run(pollIntervalMs, signal);
  }
}

function notFound(wanted: Wanted, { candidates }: Missing): ProtocolError {
  const similar = offers(wanted, candidates);
  const hint =
    similar.length > 0
      ? ` There are: ${similar.map(({ selector, text }) => (text === '' ? selector : `${selector} ("${text}")`)).join(', ')}.`
      : ' The page shows nothing that could be named: look at its console and at a screenshot.';
  return new ProtocolError('ELEMENT_NOT_FOUND', `There is no ${nameOf(wanted)} in the page.${hint}`, { similar });
}

function nameOf({ selector, text }: Wanted): string {
  if (text === null) return `element "${selector}"`;
  return selector === null ? `element that shows "${text}"` : `element "${selector}" that shows "${text}"`;
}

/** What most looks like what was wanted, the likeliest first. */
export function offers({ selector, text }: Wanted, candidates: Missing['candidates']): Missing['candidates'] {
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
    .slice(0, maxOffered)
    .map(({ candidate }) => candidate);
}
