import { canvasImage, lostContexts, trackContexts } from './canvas-image.ts';
import { type ExactDrawing, exactDrawing } from './exact-drawing.ts';
import { trackHiddenChanges } from './hidden-changes.ts';
import { layoutSnapshot } from './layout-snapshot.ts';
import { oneLayerRule } from './one-layer.ts';
import type { CaptureFunctions } from './protocol.ts';

/** Runs in a film's page before its own code. Provides the functions that the daemon calls. */

function drawAsOneLayer(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(oneLayerRule);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

trackContexts();
const hidden = trackHiddenChanges();
let started = false;
let drawing: ExactDrawing | null = null;

function seek(seconds: number): string {
  if (typeof window.__exportSeekTo !== 'function') return 'reloaded';
  let result: unknown;
  let drew = false;
  window.__kodaCanvases?.beginSeek();
  try {
    result = window.__exportSeekTo(seconds);
  } finally {
    drew = window.__kodaCanvases?.endSeek() ?? false;
  }
  if (isThenable(result)) return 'async';
  if (window.__exportError) return String(window.__exportError.message ?? window.__exportError);
  drawing?.draw();
  if (lostContexts() > 0) return 'lost';
  return drew ? 'drawn' : 'unchanged';
}

function isThenable(value: unknown): boolean {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof Reflect.get(value, 'then') === 'function'
  );
}

const functions: CaptureFunctions = {
  readyState: () => {
    const failure = window.__exportError;
    return {
      ready: window.__exportReady === true && typeof window.__exportSeekTo === 'function',
      error: failure ? String(failure.stack ?? failure.message ?? failure) : null,
      info: window.__exportInfo ?? null,
      parameterError: window.__exportParameterError ?? null,
    };
  },
  start: () => {
    started = true;
    drawAsOneLayer();
    drawing = exactDrawing(hidden);
  },
  hasStarted: () => started,
  seek,
  checkParameters: (sets) => window.__exportCheckParameters?.(sets) ?? null,
  layout: layoutSnapshot,
  cast: () => window.__exportCast?.() ?? null,
  canvasImage,
};
Object.defineProperty(window, '__kodaCapture', { value: functions });
