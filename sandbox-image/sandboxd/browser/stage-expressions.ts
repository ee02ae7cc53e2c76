import { z } from 'zod';
import type { ParameterValues } from '../../../server/contract/render.ts';
import { drawExactlyExpression } from './exact-drawing.ts';

/**
 * What is evaluated in a project's page. The stage runtime of the template offers `__exportReady`,
 * `__exportSeekTo(seconds)`, `__exportInfo` and `__exportError`.
 */

/** Runs before the page's own code: remembers every WebGL context, so that a lost one can be told from a black scene. */
export const prepareExpression = `(() => {
  const contexts = [];
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    const context = original.call(this, kind, ...rest);
    if (context && String(kind).startsWith('webgl') && !contexts.includes(context)) contexts.push(context);
    return context;
  };
  // A canvas that left the page gave its context up on purpose.
  window.__kodaLostContexts = () => contexts.filter((context) => context.canvas.isConnected && context.isContextLost()).length;
})()`;

/** Runs before the page's own code, too: what the film's parameters shall be. */
export function parametersExpression(values: ParameterValues): string {
  // A line of JSON is an expression of JavaScript, whatever is in it.
  return `window.__exportParameters = ${JSON.stringify(values)};`;
}

/**
 * Keeps what CSS animates or announces (`will-change`) from becoming a layer of its own. The browser draws such a
 * layer at a scale that depends on what it drew before, so the frame would depend on the frames before it; drawn as
 * a part of the page, it is as sharp as it can be, and not slower. `contents` says that, for the root and all in it:
 * https://drafts.csswg.org/css-will-change-1/#valdef-will-change-contents
 */
export const oneLayerExpression = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root:root { will-change: contents !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

/** Marks the document that was opened: one that a reload brought does not have the mark. */
export const markExpression = 'window.__kodaOpened = true';
export const isMarkedExpression = 'window.__kodaOpened === true';

export const readyExpression = `(() => {
  const failure = window.__exportError;
  return {
    ready: window.__exportReady === true && typeof window.__exportSeekTo === 'function',
    error: failure ? String(failure.stack ?? failure.message ?? failure) : null,
    info: window.__exportInfo ?? null,
    parameterError: window.__exportParameterError ?? null,
  };
})()`;

export const readyStateSchema = z.object({
  ready: z.boolean(),
  error: z.string().nullable(),
  info: z.unknown(),
  parameterError: z.string().nullable(),
});
export type ReadyState = z.infer<typeof readyStateSchema>;

/** Answers with what is wrong with each set of values (null = nothing), or null when the page cannot tell. */
export function checkParametersExpression(sets: readonly ParameterValues[]): string {
  return `window.__exportCheckParameters?.(${JSON.stringify(sets)}) ?? null`;
}

/** The words are the page's, so their length is ours to limit. */
export const parameterProblemsSchema = z
  .array(
    z
      .string()
      .transform((text) => text.slice(0, 1000))
      .nullable(),
  )
  .nullable();

/** Answers `still` or `drawn` (a WebGL canvas was), `async`, `lost`, `gone`, or the words of the stage's own error. */
export function seekExpression(seconds: number): string {
  return `(() => {
  if (typeof window.__exportSeekTo !== 'function') return 'gone';
  let result;
  let drew = false;
  window.__kodaCanvases?.beginSeek();
  try {
    result = window.__exportSeekTo(${seconds});
  } finally {
    drew = window.__kodaCanvases?.endSeek() ?? false;
  }
  if (result && typeof result.then === 'function') return 'async';
  if (window.__exportError) return String(window.__exportError.message ?? window.__exportError);
  ${drawExactlyExpression};
  return window.__kodaLostContexts?.() > 0 ? 'lost' : drew ? 'drawn' : 'still';
})()`;
}
