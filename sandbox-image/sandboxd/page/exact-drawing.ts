import type { HiddenChanges, Tree } from './hidden-changes.ts';
import {
  creates3d,
  exceedsRedrawThreshold,
  isTranslation,
  scaleOf,
  type TransformStyle,
  transformOf,
  transformProperties,
} from './transforms.ts';

/**
 * Makes each frame independent of the frames that the browser drew before. Blink ignores transform changes of up to 0.01 px
 * and 0.0001 (`RasterInvalidator::GenerateRasterInvalidations`). A bar that grows very slowly keeps its old image, so frames
 * would depend on the number of browsers. An element above a canvas, a video or a 3D rendering context has its own layer. The
 * compositor rounds its edges to the pixels of an earlier, larger scale (`PictureLayerImpl::AppendQuads`,
 * `MaximumTilingContentsScale`). A new layer has no earlier scale. An element keeps its subpixel offset while its transform
 * only translates it (`PaintPropertyTreeBuilder`). If only the transform changes, Blink does not update that state. An element
 * that was translucent keeps drawing through a buffer once it is opaque, which rounds the colours of its edges differently.
 */
export interface ExactDrawing {
  /**
   * Call after a seek. Redraws elements whose transform may have changed too little for Blink, or started or stopped being a
   * pure translation. Recreates layers whose scale has changed, and the boxes of elements that became opaque. Does nothing if nothing has changed, so that static frames
   * are detected.
   */
  draw(): void;
}

const redrawAttribute = 'data-koda-drawn';
const layerAttribute = 'data-koda-layer';
/**
 * The rules are invisible, because `content` on an element only shows images. A new string still recreates the element's box,
 * and with it the layer.
 */
const attributeRules = `[${redrawAttribute}="a"] { user-select: all !important; } [${redrawAttribute}="b"] { user-select: text !important; }
[${layerAttribute}="a"] { content: "a" !important; } [${layerAttribute}="b"] { content: "b" !important; }`;

/** Content that has its own layer. */
const separateLayers =
  'canvas, video, iframe, object, embed, [style*="3d("], [style*="rotateX("], [style*="rotateY("], [style*="Z("]';

/** The part of a transform that an animation changes; `scale` may include the position. */
type AnimatedPart = 'position' | 'scale' | 'variable' | null;

/**
 * Observes a ready page: attributes in the document and in shadow trees, CSS transform animations, SMIL, and style sheet
 * rules. A changed rule rechecks every element. Does not cover iframes and declarative closed shadow trees.
 */
export function exactDrawing(hidden: HiddenChanges): ExactDrawing {
  return new TransformTracker(hidden);
}

class TransformTracker implements ExactDrawing {
  readonly #hidden: HiddenChanges;
  readonly #sheet = new CSSStyleSheet();
  readonly #observer = new MutationObserver((records) => this.#recordMutations(records));
  readonly #observed = new WeakSet<Tree>();
  #trees: readonly Tree[] = [];
  readonly #animations = new AnimationTracker();
  readonly #layers = new LayerTracker();

  #candidates = new Set<Element>();
  #scaled = new Set<Element>();
  /** Elements whose change may affect the style of others. */
  #styleRoots = new Set<Element>();

  readonly #transforms = new WeakMap<Element, string>();
  readonly #scales = new WeakMap<Element, string>();
  readonly #translucent = new WeakSet<Element>();
  #opaqueNow = new Set<Element>();
  readonly #computedStyles = new WeakMap<Element, { readonly transform: string; readonly scale: string }>();

  constructor(hidden: HiddenChanges) {
    this.#hidden = hidden;
    this.#sheet.replaceSync(attributeRules);
    this.#findTrees();
    hidden.rulesChanged(this.#trees);
  }

  draw(): void {
    this.#findTrees();
    this.#recordMutations(this.#observer.takeRecords());
    for (const { target, part } of this.#animations.changed(this.#trees)) {
      this.#candidates.add(target);
      if (part === 'scale') this.#scaled.add(target);
      if (part === 'variable') this.#styleRoots.add(target);
    }
    for (const target of this.#animations.changedDrawings(this.#trees)) this.#candidates.add(target);
    this.#recheckStyles();
    if (this.#candidates.size > 0) this.#redraw();
    const layers = this.#scaled.size > 0 && this.#layers.mayExist(this.#trees) ? this.#scaled : [];
    this.#layers.renew(new Set([...layers, ...this.#opaqueNow]));
    this.#candidates = new Set();
    this.#scaled = new Set();
    this.#opaqueNow = new Set();
    this.#styleRoots = new Set();
  }

  #findTrees(): void {
    this.#trees = [document, ...this.#hidden.shadowRoots()];
    for (const tree of this.#trees) {
      if (!tree.adoptedStyleSheets.includes(this.#sheet)) tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, this.#sheet];
      if (!this.#observed.has(tree)) this.#observer.observe(tree, { subtree: true, attributes: true });
      this.#observed.add(tree);
    }
  }

  /** Returns all matching descendants, including those in nested shadow trees. */
  #allIn(element: Element, selector: string): Element[] {
    return this.#trees.flatMap((tree) => {
      if (tree === element.getRootNode()) return [...element.querySelectorAll(selector)];
      return 'host' in tree && isIn(tree.host, element) ? [...tree.querySelectorAll(selector)] : [];
    });
  }

  #recordMutations(records: readonly MutationRecord[]): void {
    const styled = new Set<StyledElement>();
    for (const { target, attributeName } of records) {
      if (attributeName === 'style' && isStyled(target)) styled.add(target);
      else if (attributeName !== redrawAttribute && attributeName !== layerAttribute) {
        this.#recordAttribute(target as Element, attributeName);
      }
    }
    for (const element of styled) this.#recordInlineStyle(element);
  }

  #recordAttribute(element: Element, name: string | null): void {
    this.#candidates.add(element);
    if (name === 'class' || name === 'transform') this.#scaled.add(element);
    if (element instanceof HTMLElement || name === 'class') this.#styleRoots.add(element);
  }

  #recordInlineStyle(element: StyledElement): void {
    this.#recordOpacity(element, element.style.opacity);
    // A variable may affect the transform of any descendant.
    if (element.getAttribute('style')?.includes('--')) {
      this.#candidates.add(element);
      if (this.#layers.mayExist(this.#trees)) this.#styleRoots.add(element);
    }
    const transform = transformOf(element.style);
    if (/\d/.test(transform) || this.#transforms.has(element)) this.#recordTransform(element, transform);
  }

  #recordOpacity(element: Element, opacity = ''): void {
    if (opacity !== '' && Number(opacity) < 1) this.#translucent.add(element);
    else if (this.#translucent.delete(element)) this.#opaqueNow.add(element);
  }

  #recordTransform(element: StyledElement, transform: string): void {
    const before = this.#transforms.get(element);
    this.#transforms.set(element, transform);
    const scale = scaleOf(element.style);
    if (this.#scales.get(element) !== scale) this.#scaled.add(element);
    this.#scales.set(element, scale);
    // An element in a 3D rendering context has its own layer, which moves without being redrawn.
    if (creates3d(transform)) this.#layers.found3d();
    else if (
      before === undefined ||
      !exceedsRedrawThreshold(before, transform) ||
      isTranslation(before) !== isTranslation(transform)
    )
      this.#candidates.add(element);
  }

  /** A changed rule may match any element; a class or variable affects descendants and siblings. */
  #recheckStyles(): void {
    const whole = this.#hidden.rulesChanged(this.#trees);
    if (!whole && this.#styleRoots.size === 0) return;
    const roots = whole ? [document.documentElement] : [...this.#styleRoots].map((element) => element.parentElement ?? element);
    const found = new Set([...new Set(roots)].flatMap((element) => [element, ...this.#allIn(element, '*')]));
    for (const element of found) this.#recordStyle(element);
  }

  /** Detects a changed transform by its computed style. */
  #recordStyle(element: Element): void {
    const style = getComputedStyle(element);
    this.#recordOpacity(element, style.opacity);
    const transform = transformOf(style);
    const scale = scaleOf(style);
    const before = this.#computedStyles.get(element);
    if (before?.transform === transform || (!before && !/[1-9]|[a-z]\(/.test(transform))) return;
    this.#computedStyles.set(element, { transform, scale });
    this.#candidates.add(element);
    if (before?.scale !== scale) this.#scaled.add(element);
  }

  #redraw(): void {
    const redrawn = new Set(this.#candidates);
    for (const element of this.#candidates) for (const inner of this.#allIn(element, `[${redrawAttribute}]`)) redrawn.add(inner);
    for (const element of redrawn) toggle(element, redrawAttribute);
  }
}

type StyledElement = Element & { readonly style: TransformStyle };
/** Excludes elements of an XML tree without a namespace, for example. */
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

class AnimationTracker {
  readonly #parts = new WeakMap<KeyframeEffect, AnimatedPart>();
  #timings = new Map<KeyframeEffect, string>();
  readonly #drawings = new WeakMap<Element, number | undefined>();

  changed(trees: readonly Tree[]): { target: Element; part: AnimatedPart }[] {
    const before = this.#timings;
    this.#timings = new Map();
    for (const animation of new Set(trees.flatMap((tree) => tree.getAnimations()))) {
      const effect = animation.effect as KeyframeEffect | null;
      if (!effect?.target || this.#partOf(effect) === null) continue;
      const { progress, currentIteration } = effect.getComputedTiming();
      this.#timings.set(effect, `${progress} ${currentIteration}`);
    }
    const effects = [...new Set([...before.keys(), ...this.#timings.keys()])];
    return effects.flatMap((effect) => {
      const { target } = effect;
      if (before.get(effect) === this.#timings.get(effect) || !target) return [];
      return [{ target, part: this.#partOf(effect) }];
    });
  }

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
  return names.some((name) => (transformProperties as readonly string[]).includes(name)) ? 'position' : null;
}

/** Recreates the layers of elements, if the page may have more than one layer. */
class LayerTracker {
  #has3d = false;
  #rulesRead = 0;
  readonly #ownContent = new WeakMap<Element, boolean>();

  found3d(): void {
    this.#has3d = true;
  }

  mayExist(trees: readonly Tree[]): boolean {
    this.#has3d ||= this.#rulesCreate3d(trees);
    return this.#has3d || trees.some((tree) => tree.querySelector(separateLayers) !== null);
  }

  renew(scaled: ReadonlySet<Element>): void {
    for (const element of scaled) {
      const known = this.#ownContent.get(element);
      const ownContent = known ?? getComputedStyle(element).content.includes('(');
      this.#ownContent.set(element, ownContent);
      if (element !== document.documentElement && element !== document.body && !ownContent) toggle(element, layerAttribute);
    }
  }

  #rulesCreate3d(trees: readonly Tree[]): boolean {
    try {
      const lists = trees.flatMap((tree) => [...tree.styleSheets, ...tree.adoptedStyleSheets]).map(({ cssRules }) => cssRules);
      const count = lists.reduce((sum, { length }) => sum + length, 0);
      if (count === this.#rulesRead) return false;
      this.#rulesRead = count;
      return lists.some((rules) => Array.from(rules).some(({ cssText }) => creates3d(cssText)));
    } catch {
      // Cross-origin style sheets are unreadable.
      return true;
    }
  }
}
