import type { HiddenChanges, Tree } from './hidden-changes.ts';
import {
  differsSurely,
  onlyMoves,
  saysSpace,
  scaleOf,
  type TransformStyle,
  transformOf,
  transformProperties,
} from './transforms.ts';

/**
 * Makes a picture a function of the page alone, and not of what the browser drew before it.
 *
 * Blink takes a transform whose place moved by at most 0.01 px, and whose other numbers changed by at most 0.0001, for
 * unchanged (`RasterInvalidator::GenerateRasterInvalidations`), and draws a layer anew only when something in it changed.
 * So a bar that grows from scaleX(0.9998) to scaleX(0.9999) keeps its old picture when nothing else in its layer
 * changes, and the frame depends on which one was drawn before, and with that on the number of browsers.
 *
 * What lies over a canvas, a video or something in space is a layer of its own, drawn at its scale. The compositor still
 * has what it drew at the scale before, and when that was larger it rounds the layer's edges to those pixels
 * (`PictureLayerImpl::AppendQuads`, `MaximumTilingContentsScale`): the last row of a bar is lighter or darker by what
 * the frame before was. A layer that is new has no scale before.
 *
 * An element whose place is a fraction of a pixel keeps that fraction while its transform only moves it, and loses it
 * when the transform does more (`PaintPropertyTreeBuilder`). When nothing but the transform changes, Blink takes a
 * shorter way that leaves that as it was: a letter that has turned upright stays where it was when it turned.
 */
export interface ExactDrawing {
  /**
   * To be called after the page was set to a moment. Has an element drawn anew, with all that is in it, when its
   * transform may have changed by too little since the last call, or began or ceased to only move it; and has its layer
   * made anew, where there may be one, when its scale changed. Without a change it does nothing, so that a still page
   * is known to be still.
   */
  draw(): void;
}

const mark = 'data-koda-drawn';
const layerMark = 'data-koda-layer';
/**
 * Marks have a style of their own that shows nothing: for elements `content` counts only when it is a picture, but
 * another one gives the element a new box, and a box of its own is what a layer is known by.
 */
const markRules = `[${mark}="a"] { user-select: all !important; } [${mark}="b"] { user-select: text !important; }
[${layerMark}="a"] { content: "a" !important; } [${layerMark}="b"] { content: "b" !important; }`;

/** What is a layer of its own. */
const apart = 'canvas, video, iframe, object, embed, [style*="3d("], [style*="rotateX("], [style*="rotateY("], [style*="Z("]';

/** What of a transform an animation changes: with the scale, perhaps the place, too. */
type AnimatedPart = 'place' | 'scale' | 'variable' | null;

/**
 * Begins to watch a page that is ready: what attributes say, in the document and in its shadow trees; CSS animations of
 * transforms; SMIL; and rules that a script changes in a style sheet, after which every element is asked what it looks
 * like. Pages in frames, and closed shadow trees that the HTML itself declares, are not watched.
 */
export function exactDrawing(hidden: HiddenChanges): ExactDrawing {
  return new TransformWatch(hidden);
}

class TransformWatch implements ExactDrawing {
  readonly #hidden: HiddenChanges;
  readonly #sheet = new CSSStyleSheet();
  readonly #observer = new MutationObserver((records) => this.#noteMutations(records));
  readonly #observed = new WeakSet<Tree>();
  /** The document and its shadow trees. */
  #trees: readonly Tree[] = [];
  readonly #animations = new AnimationWatch();
  readonly #layers = new LayerWatch();

  #suspects = new Set<Element>();
  #scaled = new Set<Element>();
  /** What may have changed the looks of others. */
  #swept = new Set<Element>();

  readonly #transforms = new WeakMap<Element, string>();
  readonly #scales = new WeakMap<Element, string>();
  readonly #looks = new WeakMap<Element, { readonly transform: string; readonly scale: string }>();

  constructor(hidden: HiddenChanges) {
    this.#hidden = hidden;
    this.#sheet.replaceSync(markRules);
    this.#findTrees();
    hidden.rulesChanged(this.#trees);
  }

  draw(): void {
    this.#findTrees();
    this.#noteMutations(this.#observer.takeRecords());
    for (const { target, part } of this.#animations.changed(this.#trees)) {
      this.#suspects.add(target);
      if (part === 'scale') this.#scaled.add(target);
      if (part === 'variable') this.#swept.add(target);
    }
    for (const target of this.#animations.changedDrawings(this.#trees)) this.#suspects.add(target);
    this.#sweep();
    if (this.#suspects.size > 0) this.#drawAnew();
    if (this.#scaled.size > 0 && this.#layers.mayExist(this.#trees)) this.#layers.renew(this.#scaled);
    this.#suspects = new Set();
    this.#scaled = new Set();
    this.#swept = new Set();
  }

  #findTrees(): void {
    this.#trees = [document, ...this.#hidden.shadowRoots()];
    for (const tree of this.#trees) {
      // The page may have set others in its place.
      if (!tree.adoptedStyleSheets.includes(this.#sheet)) tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, this.#sheet];
      if (!this.#observed.has(tree)) this.#observer.observe(tree, { subtree: true, attributes: true });
      this.#observed.add(tree);
    }
  }

  /** All elements in this one or in shadow trees in it. */
  #allIn(element: Element, selector: string): Element[] {
    return this.#trees.flatMap((tree) => {
      if (tree === element.getRootNode()) return [...element.querySelectorAll(selector)];
      return 'host' in tree && isIn(tree.host, element) ? [...tree.querySelectorAll(selector)] : [];
    });
  }

  #noteMutations(records: readonly MutationRecord[]): void {
    const styled = new Set<StyledElement>();
    for (const { target, attributeName } of records) {
      if (attributeName === 'style' && isStyled(target)) styled.add(target);
      else if (attributeName !== mark && attributeName !== layerMark) {
        const element = target as Element;
        this.#suspects.add(element);
        if (attributeName === 'class' || attributeName === 'transform') this.#scaled.add(element);
        if (element instanceof HTMLElement || attributeName === 'class') this.#swept.add(element);
      }
    }
    for (const element of styled) {
      // A variable may be part of the transform of anything in the element.
      if (element.getAttribute('style')?.includes('--')) {
        this.#suspects.add(element);
        if (this.#layers.mayExist(this.#trees)) this.#swept.add(element);
      }
      const transform = transformOf(element.style);
      if (/\d/.test(transform) || this.#transforms.has(element)) this.#noteTransform(element, transform);
    }
  }

  #noteTransform(element: StyledElement, transform: string): void {
    const before = this.#transforms.get(element);
    this.#transforms.set(element, transform);
    const scale = scaleOf(element.style);
    if (this.#scales.get(element) !== scale) this.#scaled.add(element);
    this.#scales.set(element, scale);
    // In space an element is a layer of its own, which is moved and not drawn.
    if (saysSpace(transform)) this.#layers.foundSpace();
    else if (before === undefined || !differsSurely(before, transform) || onlyMoves(before) !== onlyMoves(transform))
      this.#suspects.add(element);
  }

  /** A changed rule may be for any element; a class or a variable for those in the element, or beside it. */
  #sweep(): void {
    const whole = this.#hidden.rulesChanged(this.#trees);
    if (!whole && this.#swept.size === 0) return;
    const roots = whole ? [document.documentElement] : [...this.#swept].map((element) => element.parentElement ?? element);
    const found = new Set([...new Set(roots)].flatMap((element) => [element, ...this.#allIn(element, '*')]));
    for (const element of found) this.#noteLook(element);
  }

  /** Finds out by its computed style whether an element is transformed in another way than when it was looked at before. */
  #noteLook(element: Element): void {
    const style = getComputedStyle(element);
    const transform = transformOf(style);
    const scale = scaleOf(style);
    const before = this.#looks.get(element);
    if (before?.transform === transform || (!before && !/[1-9]|[a-z]\(/.test(transform))) return;
    this.#looks.set(element, { transform, scale });
    this.#suspects.add(element);
    if (before?.scale !== scale) this.#scaled.add(element);
  }

  #drawAnew(): void {
    const marked = new Set(this.#suspects);
    for (const element of this.#suspects) for (const inner of this.#allIn(element, `[${mark}]`)) marked.add(inner);
    for (const element of marked) toggle(element, mark);
  }
}

type StyledElement = Element & { readonly style: TransformStyle };
/** What it is not in an XML tree without a namespace, for one. */
const isStyled = (node: Node): node is StyledElement => 'style' in node && Boolean(node.style);

function isIn(node: Node, element: Element): boolean {
  for (let inner: Node | undefined = node; inner; inner = hostOf(inner)) if (element.contains(inner)) return true;
  return false;
}

function hostOf(node: Node): Element | undefined {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : undefined;
}

function toggle(element: Element, name: string): void {
  element.setAttribute(name, element.getAttribute(name) === 'a' ? 'b' : 'a');
}

/** Which animations have gone on since they were asked before. */
class AnimationWatch {
  readonly #parts = new WeakMap<KeyframeEffect, AnimatedPart>();
  #moments = new Map<KeyframeEffect, string>();
  readonly #drawings = new WeakMap<Element, number | undefined>();

  changed(trees: readonly Tree[]): { target: Element; part: AnimatedPart }[] {
    const before = this.#moments;
    this.#moments = new Map();
    for (const animation of new Set(trees.flatMap((tree) => tree.getAnimations()))) {
      const effect = animation.effect as KeyframeEffect | null;
      if (!effect?.target || this.#partOf(effect) === null) continue;
      const { progress, currentIteration } = effect.getComputedTiming();
      this.#moments.set(effect, `${progress} ${currentIteration}`);
    }
    const effects = [...new Set([...before.keys(), ...this.#moments.keys()])];
    return effects.flatMap((effect) => {
      const { target } = effect;
      if (before.get(effect) === this.#moments.get(effect) || !target) return [];
      return [{ target, part: this.#partOf(effect) }];
    });
  }

  /** What SMIL moves. */
  changedDrawings(trees: readonly Tree[]): Element[] {
    const found: Element[] = [];
    for (const tree of trees) {
      for (const animation of tree.querySelectorAll<SVGAnimationElement>('animateTransform, animateMotion')) {
        const seconds = animation.ownerSVGElement?.getCurrentTime();
        if (this.#drawings.get(animation) !== seconds && animation.targetElement) found.push(animation.targetElement);
        this.#drawings.set(animation, seconds);
      }
    }
    return found;
  }

  #partOf(effect: KeyframeEffect): AnimatedPart {
    const known = this.#parts.get(effect);
    if (known !== undefined) return known;
    const names = effect.getKeyframes().flatMap((keyframe) => Object.keys(keyframe));
    const part = partAnimatedBy(names);
    this.#parts.set(effect, part);
    return part;
  }
}

function partAnimatedBy(names: readonly string[]): AnimatedPart {
  if (names.some((name) => name === 'transform' || name === 'scale')) return 'scale';
  if (names.some((name) => name.startsWith('--'))) return 'variable';
  return names.some((name) => (transformProperties as readonly string[]).includes(name)) ? 'place' : null;
}

/** Whether there may be layers beside that of the page, and new ones in their place. */
class LayerWatch {
  #seenSpace = false;
  #rulesRead = 0;
  readonly #ownContent = new WeakMap<Element, boolean>();

  foundSpace(): void {
    this.#seenSpace = true;
  }

  mayExist(trees: readonly Tree[]): boolean {
    this.#seenSpace ||= this.#rulesSaySpace(trees);
    return this.#seenSpace || trees.some((tree) => tree.querySelector(apart) !== null);
  }

  renew(scaled: ReadonlySet<Element>): void {
    for (const element of scaled) {
      const known = this.#ownContent.get(element);
      const ownContent = known ?? getComputedStyle(element).content.includes('(');
      this.#ownContent.set(element, ownContent);
      if (element !== document.documentElement && element !== document.body && !ownContent) toggle(element, layerMark);
    }
  }

  #rulesSaySpace(trees: readonly Tree[]): boolean {
    try {
      const lists = trees.flatMap((tree) => [...tree.styleSheets, ...tree.adoptedStyleSheets]).map(({ cssRules }) => cssRules);
      const count = lists.reduce((sum, { length }) => sum + length, 0);
      if (count === this.#rulesRead) return false;
      this.#rulesRead = count;
      return lists.some((rules) => Array.from(rules).some(({ cssText }) => saysSpace(cssText)));
    } catch {
      // A sheet that may not be read.
      return true;
    }
  }
}
