import { canvasImage, lostContexts, trackContexts } from './canvas-image.ts';
import { directFrames } from './direct-frames.ts';
import { type ExactDrawing, exactDrawing } from './exact-drawing.ts';
import { installFilmClock } from './film-clock.ts';
import { trackHiddenChanges } from './hidden-changes.ts';
import { layoutSnapshot } from './layout-snapshot.ts';
import { markGlyphs } from './mark-glyphs.ts';
import { trackLoads } from './pending-loads.ts';
import type { CaptureFunctions } from './protocol.ts';
import { reportUncontrolled } from './refusals.ts';
import { hiddenScenesRule, oneLayerRule, stillPicturesRule } from './rules.ts';

/** Runs in a film's page before its own code. Provides the functions that the daemon calls. */

function addRules(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([oneLayerRule, stillPicturesRule, hiddenScenesRule].join('\n'));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

trackContexts();
reportUncontrolled();
const clock = installFilmClock();
const loads = trackLoads();
const hidden = trackHiddenChanges();
const direct = directFrames();
let started = false;
let drawing: ExactDrawing | null = null;

function seek(seconds: number): string {
  if (typeof window.__exportSeekTo !== 'function') return 'reloaded';
  if (!clock.beginSeek(seconds * 1000)) return 'rewound';
  let result: unknown;
  let drew = false;
  window.__kodaCanvases?.beginSeek();
  try {
    result = window.__exportSeekTo(seconds);
    clock.endSeek();
  } finally {
    drew = window.__kodaCanvases?.endSeek() ?? false;
  }
  if (isThenable(result)) return 'async';
  if (window.__exportError) return String(window.__exportError.message ?? window.__exportError);
  drawing?.draw();
  direct.update();
  if (lostContexts() > 0) return 'lost';
  if (loads.any()) return 'loading';
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
    addRules();
    drawing = exactDrawing(hidden);
  },
  hasStarted: () => started,
  seek,
  checkParameters: (sets) => window.__exportCheckParameters?.(sets) ?? null,
  layout: layoutSnapshot,
  cast: () => window.__exportCast?.() ?? null,
  markGlyphs,
  canvasImage,
  startDirect: direct.start,
  enterDirect: direct.enter,
  leaveDirect: direct.leave,
  takeDirect: direct.take,
};
Object.defineProperty(window, '__kodaCapture', { value: functions });
