import { AudioPlayer } from './audio.ts';
import { redrawEvent } from './clock.ts';
import type { FilmDefinition } from './film-definition.ts';
import { recall, remember } from './memory.ts';
import { givenParameters, replaceParameters } from './parameters.ts';
import { advance, plainSettings, readSettings } from './play-settings.ts';
import { editScene } from './scene-props.ts';
import { answerAboutTexts } from './text-places.ts';

const reportIntervalMs = 100;
const storageKey = 'koda:seconds';

/** Resumes at the same time after a full reload (an edited configuration, a lost connection). */
function secondsBeforeReload(): number {
  const [navigation] = performance.getEntriesByType('navigation');
  const reloaded = (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload';
  return reloaded ? Number(recall(storageKey) ?? 0) : 0;
}

type PlayerMessage = Record<'type' | 'seconds' | 'values' | 'speed' | 'loop' | 'range', unknown>;

interface PlayerOptions {
  readonly stage: HTMLElement;
  readonly film: () => FilmDefinition;
  readonly draw: (seconds: number) => void;
}

/**
 * Plays the film in real time with its audio, and handles messages from the embedding window. It accepts `{ type: 'koda:play'
 * | 'koda:pause' | 'koda:seek', seconds? }` (a seek without seconds only requests a reply), `{ type: 'koda:playback', speed,
 * loop, range }`, and `{ type: 'koda:parameters', values }`, which reloads with other parameter values (`null` restores the
 * film's own). `{ type: 'koda:scene-props', sceneId, props }` draws a scene with edited props. `{ type: 'koda:find-text',
 * requestId, text }` and `{ type: 'koda:text-at', requestId, point }` request the position of a text on screen, and the text
 * at a point. It sends `koda:ready` once, with its values; `koda:film` after an edit has changed the film; and `koda:time` as
 * a reply and about ten times per second during playback. Returns a function that stops it.
 */
export function startPlayback({ stage, film, draw }: PlayerOptions): () => void {
  let playing = true;
  let settings = plainSettings;
  let seconds = secondsBeforeReload() % film().durationSeconds;
  let lastTickMs = performance.now();
  let lastReportMs = Number.NEGATIVE_INFINITY;
  let frame = 0;
  const audio = new AudioPlayer();

  const post = (message: Record<string, unknown>) => {
    if (window.parent !== window) window.parent.postMessage(message, '*');
  };
  const report = () => {
    lastReportMs = performance.now();
    post({ type: 'koda:time', seconds, durationSeconds: film().durationSeconds, playing, playback: settings });
  };
  let told = window.__exportInfo;
  const tellOfEdits = () => {
    if (told === window.__exportInfo) return;
    told = window.__exportInfo;
    post({ type: 'koda:film', info: told });
  };
  const redraw = () => draw(seconds);
  let redrawFrame = 0;
  const redrawSoon = () => {
    cancelAnimationFrame(redrawFrame);
    redrawFrame = requestAnimationFrame(redraw);
  };

  const tick = () => {
    frame = requestAnimationFrame(tick);
    const nowMs = performance.now();
    const elapsed = (nowMs - lastTickMs) / 1000;
    lastTickMs = nowMs;
    tellOfEdits();
    void audio.load(film());
    // Other speeds are silent, because they would change the pitch.
    audio.follow(seconds, playing && settings.speed === 1);
    if (!playing) return;
    // A hidden tab gets no frames. Limiting the elapsed time continues playback there without a jump.
    ({ seconds, playing } = advance(seconds, Math.min(elapsed, 0.25) * settings.speed, settings, film()));
    redraw();
    if (!playing || nowMs - lastReportMs >= reportIntervalMs) report();
  };

  /** Changes the playback as a message requests. Returns whether the message is one of the player's. */
  const control = ({ type, ...message }: PlayerMessage): boolean => {
    if (type === 'koda:play') playing = true;
    else if (type === 'koda:pause') playing = false;
    else if (type === 'koda:playback') settings = readSettings(message);
    else if (type === 'koda:parameters') replaceParameters(message.values ?? null);
    else return type === 'koda:seek';
    return true;
  };
  const onMessage = (event: MessageEvent<unknown>) => {
    if (event.source !== window.parent || typeof event.data !== 'object' || event.data === null) return;
    const message = event.data as PlayerMessage;
    if (message.type === 'koda:scene-props') {
      editScene(message);
      redraw();
      return;
    }
    const found = answerAboutTexts(stage, message);
    if (found !== null) {
      post(found);
      return;
    }
    if (!control(message)) return;
    if (typeof message.seconds === 'number' && Number.isFinite(message.seconds)) {
      seconds = Math.min(Math.max(message.seconds, 0), film().durationSeconds);
      redraw();
    } else if (message.type === 'koda:parameters') {
      redraw();
    }
    report();
  };
  const onHide = () => remember(storageKey, String(seconds));

  window.addEventListener('message', onMessage);
  window.addEventListener('pagehide', onHide);
  window.addEventListener(redrawEvent, redrawSoon);
  post({ type: 'koda:ready', info: told, values: givenParameters() });
  redraw();
  frame = requestAnimationFrame(tick);

  return () => {
    cancelAnimationFrame(frame);
    cancelAnimationFrame(redrawFrame);
    audio.dispose();
    window.removeEventListener('message', onMessage);
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener(redrawEvent, redrawSoon);
  };
}
