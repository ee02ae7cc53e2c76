import type { FilmDefinition } from './film-definition.ts';

/**
 * Everything that a browser runs on its own clock: animations and transitions of CSS, animations of scripts, and SVG roots
 * with SMIL.
 */
type Timed = Animation | SVGSVGElement;

/** Animations that start within a scene start on a multiple of this, whatever frames are drawn. */
const stepSeconds = 1 / 60;
const slackSeconds = 1e-6;
const jumpAttribute = 'data-jumping';

/** Animations whose time the page sets itself. */
const setByPage = new WeakSet<Animation>();
const animationTime = Object.getOwnPropertyDescriptor(Animation.prototype, 'currentTime');
if (animationTime?.set) {
  const { set } = animationTime;
  Object.defineProperty(Animation.prototype, 'currentTime', {
    ...animationTime,
    set(this: Animation, value) {
      setByPage.add(this);
      set.call(this, value);
    },
  });
}

interface Span {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/**
 * Draws frames whose animations are functions of the film's time. An animation runs from the moment at which its element
 * appears in its scene. If a seek skips that moment, the scene is replayed from its start, because only its code knows it.
 */
export class AnimatedFilm {
  readonly #film: () => FilmDefinition;
  readonly #draw: (seconds: number) => void;
  /** Start of each animation, in seconds of the film. */
  readonly #starts = new Map<Timed, number>();
  #lastSeconds: number | null = null;

  constructor(film: () => FilmDefinition, draw: (seconds: number) => void) {
    this.#film = film;
    this.#draw = draw;
  }

  seek(seconds: number): void {
    const before = this.#lastSeconds;
    this.#lastSeconds = seconds;
    this.#draw(seconds);
    const follows = before !== null && seconds >= before && seconds - before <= stepSeconds + slackSeconds;
    if (!follows && seconds !== before && (this.#hasStrangers(seconds) || usesTransitions())) this.#replay(seconds, before);
    this.#place(seconds);
  }

  #replay(seconds: number, before: number | null): void {
    const active = this.#film().scenes.filter((scene) => isDuring(spanOf(scene), seconds));
    const start = Math.min(seconds, ...active.map(({ startSeconds }) => startSeconds));
    const from = before !== null && before >= start && before < seconds ? before : start;
    this.#jump(from);
    // Most animations start with their scene, so drawing its first frame is enough.
    if (!usesTransitions()) {
      this.#draw(seconds);
      if (!this.#hasStrangers(seconds)) return;
      this.#jump(from);
    }
    const first = Math.floor((from - start) / stepSeconds + slackSeconds) + 1;
    for (let step = first; start + step * stepSeconds < seconds - slackSeconds; step++) {
      this.#draw(start + step * stepSeconds);
      this.#place(start + step * stepSeconds);
    }
    this.#draw(seconds);
  }

  /** Draws a frame that does not follow the last one, so no transition may lead to it. */
  #jump(seconds: number): void {
    document.documentElement.toggleAttribute(jumpAttribute, true);
    this.#draw(seconds);
    this.#place(seconds);
    document.documentElement.toggleAttribute(jumpAttribute, false);
    document.getAnimations();
  }

  #place(seconds: number): void {
    for (const timed of timedIn(document)) {
      const span = this.#spanAround(elementOf(timed));
      // Whether a scene's animation has started is known only while the scene is visible.
      if (!this.#starts.has(timed) && seconds < span.endSeconds) this.#starts.set(timed, startIn(span, seconds));
    }
    for (const [timed, start] of this.#starts) {
      if (isGone(timed)) this.#starts.delete(timed);
      else setTime(timed, seconds - start);
    }
  }

  #hasStrangers(seconds: number): boolean {
    return timedIn(document).some((timed) => !this.#starts.has(timed) && isDuring(this.#spanAround(elementOf(timed)), seconds));
  }

  #spanAround(element: Element | null): Span {
    const id = element?.closest('[data-scene]')?.getAttribute('data-scene');
    const scene = this.#film().scenes.find((candidate) => candidate.id === id);
    return scene === undefined ? { startSeconds: 0, endSeconds: Number.POSITIVE_INFINITY } : spanOf(scene);
  }
}

function spanOf({ startSeconds, durationSeconds }: { startSeconds: number; durationSeconds: number }): Span {
  // The last scene includes the film's final instant.
  return { startSeconds, endSeconds: startSeconds + durationSeconds + slackSeconds };
}

const isDuring = ({ startSeconds, endSeconds }: Span, seconds: number) => seconds >= startSeconds && seconds < endSeconds;

function startIn({ startSeconds }: Span, seconds: number): number {
  const steps = (seconds - startSeconds) / stepSeconds;
  return steps <= 1 + slackSeconds ? startSeconds : startSeconds + Math.ceil(steps - slackSeconds) * stepSeconds;
}

/** The page may hold an animation itself: it pauses it, or scrolls it. */
function timedIn(tree: Document): Timed[] {
  const animations = tree.getAnimations().filter((animation) => animation.timeline === tree.timeline);
  const roots = [...tree.querySelectorAll<SVGElement>('animate, animateTransform, animateMotion, set')].map(rootOf);
  return [...animations, ...new Set(roots)].filter((timed) => timed !== null);
}

function rootOf(element: SVGElement): SVGSVGElement | null {
  const owner = element.ownerSVGElement;
  return owner === null ? null : (rootOf(owner) ?? owner);
}

function elementOf(timed: Timed): Element | null {
  if (timed instanceof SVGSVGElement) return timed;
  return timed.effect instanceof KeyframeEffect ? timed.effect.target : null;
}

function isGone(timed: Timed): boolean {
  if (timed instanceof Animation && timed.playState === 'idle') return true;
  return !elementOf(timed)?.isConnected;
}

const paused = new WeakSet<Timed>();

function setTime(timed: Timed, seconds: number): void {
  if (timed instanceof SVGSVGElement) {
    if (!timed.animationsPaused()) timed.pauseAnimations();
    if (timed.getCurrentTime() !== Math.max(0, seconds)) timed.setCurrentTime(Math.max(0, seconds));
    return;
  }
  if (timed.playState === 'paused' && !paused.has(timed)) return;
  if (timed.playState !== 'paused') timed.pause();
  paused.add(timed);
  if (setByPage.has(timed)) return;
  const { playbackRate } = timed;
  const end = playbackRate < 0 ? Number(timed.effect?.getComputedTiming().endTime ?? 0) : 0;
  const time = end + seconds * 1000 * playbackRate;
  if (timed.currentTime !== time) animationTime?.set?.call(timed, time);
}

/** A transition leaves no trace after its end, so it shows only in the rules. */
function usesTransitions(): boolean {
  if (document.querySelector('[style*="transition"]') !== null) return true;
  const counts = [...document.styleSheets].map(({ cssRules }) => cssRules.length).join();
  if (counts !== readRules) {
    readRules = counts;
    rulesTransition = [...document.styleSheets].some(({ cssRules }) =>
      [...cssRules].some(
        ({ cssText }) => /[{;\s]transition(?:-[a-z]+)?:(?! none)/.test(cssText) && !cssText.includes(jumpAttribute),
      ),
    );
  }
  return rulesTransition;
}
let readRules = '';
let rulesTransition = false;
