import type { BrowserAction, BrowserReport, PageElement } from '#contract/sandbox/answers.ts';
import type { ToolContext } from './context.ts';
import { imageForModel } from './images.ts';
import { completed, defineTool, workPhases } from './tool.ts';

const timeoutMs = 120_000;
const common = { category: 'browser', risk: 'low', timeoutMs, phases: workPhases } as const;
const shownCharacters = 60;
const defaultScroll = 600;

export const navigate = defineTool('browser_navigate', {
  ...common,
  label: (input) => `Opening ${input.url.slice(0, shownCharacters)}`,
  async run({ url, width, height }, context) {
    const report = await step({ action: 'navigate', url: await asPreviewPath(url, context), width, height }, context);
    return completed(pageOf(report), `Opened ${report.title.slice(0, shownCharacters) || url.slice(0, shownCharacters)}`);
  },
});

export const click = defineTool('browser_click', {
  ...common,
  label: (input) => `Clicking ${input.text ?? input.selector ?? `${input.x}, ${input.y}`}`.slice(0, shownCharacters),
  async run({ selector, text, x, y }, context) {
    const at = x === undefined || y === undefined ? null : { x, y };
    const report = await step({ action: 'click', selector: selector ?? null, text: text ?? null, at }, context);
    return completed({ ...pageOf(report), ...used(report) }, `Clicked ${nameOf(report.element)}`);
  },
});

export const typeText = defineTool('browser_type', {
  ...common,
  label: (input) => `Typing into ${input.selector.slice(0, shownCharacters)}`,
  async run({ selector, text, clear, submit }, context) {
    const report = await step({ action: 'type', selector, text, clear, submit }, context);
    return completed({ ...pageOf(report), ...used(report) }, `Typed into ${nameOf(report.element)}`);
  },
});

export const scroll = defineTool('browser_scroll', {
  ...common,
  label: () => 'Scrolling',
  async run({ selector, dx, dy }, context) {
    const isGiven = dx !== undefined || dy !== undefined;
    const by = isGiven || selector === undefined ? { x: dx ?? 0, y: dy ?? (isGiven ? 0 : defaultScroll) } : null;
    const report = await step({ action: 'scroll', selector: selector ?? null, by }, context);
    return completed(
      { ...pageOf(report), ...used(report) },
      `Scrolled to ${Math.round(report.scroll.y)} of ${Math.round(report.scroll.maxY)} px`,
    );
  },
});

export const extract = defineTool('browser_extract', {
  ...common,
  readOnly: true,
  label: (input) => `Reading ${input.selector.slice(0, shownCharacters)}`,
  async run({ selector, what }, context) {
    const report = await step({ action: 'extract', selector, what }, context);
    const { matches, complete, content, elements } = report;
    const found = what === 'elements' ? { elements: elements.map(elementOf) } : { content };
    return completed(
      { ...pageOf(report), matches, ...found, complete },
      `${matches} element${matches === 1 ? '' : 's'} found for ${selector.slice(0, shownCharacters)}${complete ? '' : ', cut'}`,
    );
  },
});

export const browserScreenshot = defineTool('browser_screenshot', {
  ...common,
  readOnly: true,
  label: () => 'Viewing the page',
  async run({ wait_ms }, context) {
    const report = await step({ action: 'screenshot', waitMs: wait_ms }, context);
    return completed(pageOf(report), 'Screenshot of the page', report.picture === null ? [] : [imageForModel(report.picture)]);
  },
});

export const consoleMessages = defineTool('browser_console', {
  ...common,
  readOnly: true,
  label: () => 'Reading the page console',
  async run({ level }, context) {
    const report = await step({ action: 'console' }, context);
    const levels = { all: ['log', 'info', 'warning', 'error'], warning: ['warning', 'error'], error: ['error'] }[level];
    const messages = report.console.filter((message) => levels.includes(message.level));
    return completed(
      { ...pageOf({ ...report, console: [] }), messages },
      `${messages.length} message${messages.length === 1 ? '' : 's'} in the console`,
    );
  },
});

async function step(action: BrowserAction, context: ToolContext): Promise<BrowserReport> {
  const { sandbox } = await context.sandbox();
  return await sandbox.browse(action, { signal: context.signal });
}

/** Converts the preview's address in the user's browser, which the model receives, to a path inside the sandbox. */
async function asPreviewPath(url: string, context: ToolContext): Promise<string> {
  if (!URL.canParse(url)) return url;
  const target = new URL(url);
  if (target.origin === 'null' || target.origin !== new URL(await context.previewUrl()).origin) return url;
  return `${target.pathname}${target.search}${target.hash}`;
}

function pageOf(report: BrowserReport): Record<string, unknown> {
  const errors = report.console.map(({ text }) => text);
  return {
    url: report.url,
    title: report.title,
    scroll: { x: report.scroll.x, y: report.scroll.y, max_x: report.scroll.maxX, max_y: report.scroll.maxY },
    ...(report.reopened ? { reopened: true } : {}),
    ...(errors.length > 0 ? { new_errors: errors } : {}),
  };
}

function used({ element, matches }: BrowserReport): Record<string, unknown> {
  return { element: element && elementOf(element), matches };
}

function elementOf({ selector, tag, text, attributes, box, visible }: PageElement): Record<string, unknown> {
  return { selector, tag, text, attributes, box, visible };
}

function nameOf(element: PageElement | null): string {
  return (element?.text || element?.selector || 'the page').slice(0, shownCharacters);
}
