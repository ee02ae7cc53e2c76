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

/** What differs by more is drawn by Blink itself, also in a parent that is shrunk to a tenth. */
const surelyDrawn = { withUnit: 0.5, plain: 0.001 };

/**
 * To be evaluated once in a page that is ready. Offers a function that has an element drawn anew, with all that is in
 * it, when its transform may have changed by too little since the last call, or began or ceased to only move it; and
 * that has its layer made anew, where there may be one, when its scale changed. Without a change it does nothing, so
 * that a still page is known to be still.
 *
 * What does that are marks with a style of their own that shows nothing: for elements `content` counts only when it is
 * a picture, but another one gives the element a new box, and a box of its own is what a layer is known by.
 *
 * What attributes say is watched, in the document and in its shadow trees; CSS animations of transforms; SMIL; and rules
 * that a script changes in a style sheet, after which every element is asked what it looks like. Pages in frames, and
 * closed shadow trees that the HTML itself declares, are not.
 */
export const offerExactDrawingExpression = String.raw`(() => {
  const mark = 'data-koda-drawn';
  const layerMark = 'data-koda-layer';
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('[' + mark + '="a"] { user-select: all !important; } [' + mark + '="b"] { user-select: text !important; }' +
    '[' + layerMark + '="a"] { content: "a" !important; } [' + layerMark + '="b"] { content: "b" !important; }');
  const observer = new MutationObserver((records) => noteMutations(records));
  const hidden = window.__kodaHiddenChanges;
  /** The document and its shadow trees. */
  let trees = [];
  const observed = new WeakSet();
  const findTrees = () => {
    trees = [document, ...(hidden?.shadowRoots() ?? [])];
    for (const tree of trees) {
      // The page may have set others in its place.
      if (!tree.adoptedStyleSheets.includes(sheet)) tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
      if (!observed.has(tree)) observer.observe(tree, { subtree: true, attributes: true });
      observed.add(tree);
    }
  };
  findTrees();
  hidden?.rulesChanged(trees);
  const isIn = (node, element) => {
    for (let inner = node; inner; inner = inner.getRootNode().host) if (element.contains(inner)) return true;
    return false;
  };
  /** All elements in this one or in shadow trees in it. */
  const allIn = (element, selector) => trees.flatMap((tree) =>
    tree === element.getRootNode() ? [...element.querySelectorAll(selector)] : isIn(tree.host, element) ? [...tree.querySelectorAll(selector)] : []);

  const properties = ['transform', 'translate', 'rotate', 'scale', 'offsetDistance', 'offsetPath'];
  const transformOf = (style) => properties.map((name) => style[name] ?? '').join(';');
  /** Those of a transform as text, with their units; the last ones of a matrix are lengths. */
  const numbers = (text) => text
    .replace(/(matrix\((?:[^,]+,){4})([^,]+),([^)]+)\)/g, '$1$2px,$3px)')
    .match(/-?[\d.]+(?:e-?\d+)?[a-z%]*/g) ?? [];
  const differsSurely = (one, other) => {
    const [before, after] = [numbers(one), numbers(other)];
    return before.length !== after.length || after.some((number, at) => {
      const limit = /[a-z%]$/.test(number) ? ${surelyDrawn.withUnit} : ${surelyDrawn.plain};
      return Math.abs(parseFloat(number) - parseFloat(before[at])) > limit;
    });
  };
  /** Whether a transform only moves, as far as its text says: turns by 0 and scales by 1 do nothing. */
  const onlyMoves = (text) => {
    const rest = text.replace(/translate[^(]*\([^)]*\)|rotate[XYZ]?\(-?0[a-z]*\)|skew[XY]?\([-0a-z, ]*\)|scale[^(]*\(1(?:, 1)*\)|matrix\(1, 0, 0, 1,[^)]*\)/g, '');
    const [transform, , rotate, scale, , path] = rest.split(';');
    return !/[a-z]\(/.test(transform) && /^(?:none|-?0[a-z]+)?$/.test(rotate) && /^(?:none|1(?: 1)*)?$/.test(scale) && /^(?:none)?$/.test(path);
  };
  /**
   * What of a transform scales a layer, whose scale is the larger one of both directions: not what only makes it
   * shorter or narrower. In space there is no need: seen in perspective a layer's scale is a whole number.
   */
  const sizeOf = ({ transform, scale = '' }) => {
    const sizes = [...(transform.match(/(?:scale|skew|matrix)[XY]?\([^)]*\)/g) ?? []), scale];
    const text = sizes.join(';').replace(/(matrix\((?:[^,]+,){4})[^)]+/g, '$1');
    return /^scale[XY]\((?:1|0(?:\.\d+)?)\);$/.test(text) ? '' : text;
  };

  const saysSpace = /3d\(|rotate[XY]\(|Z\(|preserve-3d/;
  let suspects = new Set();
  let scaled = new Set();
  /** What may have changed the looks of others. */
  let swept = new Set();
  let seenSpace = false;
  const transforms = new WeakMap();
  const sizes = new WeakMap();
  const noteTransform = (element, transform) => {
    const before = transforms.get(element);
    transforms.set(element, transform);
    const size = sizeOf(element.style);
    if (sizes.get(element) !== size) scaled.add(element);
    sizes.set(element, size);
    // In space an element is a layer of its own, which is moved and not drawn.
    if (saysSpace.test(transform)) seenSpace = true;
    else if (before === undefined || !differsSurely(before, transform) || onlyMoves(before) !== onlyMoves(transform)) suspects.add(element);
  };
  const noteMutations = (records) => {
    const styled = new Set();
    for (const { target, attributeName } of records) {
      if (attributeName === 'style' && target.style) styled.add(target);
      else if (attributeName !== mark && attributeName !== layerMark) {
        suspects.add(target);
        if (attributeName === 'class' || attributeName === 'transform') scaled.add(target);
        if (target instanceof HTMLElement || attributeName === 'class') swept.add(target);
      }
    }
    for (const element of styled) {
      // A variable may be part of the transform of anything in the element.
      if (element.getAttribute('style')?.includes('--')) {
        suspects.add(element);
        if (hasLayers()) swept.add(element);
      }
      const transform = transformOf(element.style);
      if (/\d/.test(transform) || transforms.has(element)) noteTransform(element, transform);
    }
  };

  const looks = new WeakMap();
  /** Finds out by its computed style whether an element is transformed in another way than when it was looked at before. */
  const noteLook = (element) => {
    const style = getComputedStyle(element);
    const transform = transformOf(style);
    const size = sizeOf(style);
    const before = looks.get(element);
    if (before?.transform === transform || (!before && !/[1-9]|[a-z]\(/.test(transform))) return;
    looks.set(element, { transform, size });
    suspects.add(element);
    if (before?.size !== size) scaled.add(element);
  };
  /** A rule may be for any element; a class or a variable for those in the element, or beside it. */
  const sweep = () => {
    const whole = hidden?.rulesChanged(trees) ?? false;
    if (!whole && swept.size === 0) return;
    const roots = new Set(whole ? [document.documentElement] : [...swept].map((element) => element.parentElement ?? element));
    const found = new Set([...roots].flatMap((element) => [element, ...allIn(element, '*')]));
    for (const element of found) noteLook(element);
  };

  const momentsOfDrawings = new WeakMap();
  const noteDrawings = () => {
    for (const tree of trees) {
      for (const animation of tree.querySelectorAll('animateTransform, animateMotion')) {
        const seconds = animation.ownerSVGElement?.getCurrentTime();
        if (momentsOfDrawings.get(animation) !== seconds && animation.targetElement) suspects.add(animation.targetElement);
        momentsOfDrawings.set(animation, seconds);
      }
    }
  };

  const kinds = new WeakMap();
  /** What an animation changes: 'place', 'scale' (and perhaps the place), a 'variable', or nothing of a transform. */
  const kindOf = (effect) => {
    if (!kinds.has(effect)) {
      const names = effect.getKeyframes().flatMap((keyframe) => Object.keys(keyframe));
      const scales = names.some((name) => name === 'transform' || name === 'scale');
      const varies = names.some((name) => name.startsWith('--'));
      kinds.set(effect, scales ? 'scale' : varies ? 'variable' : names.some((name) => properties.includes(name)) ? 'place' : null);
    }
    return kinds.get(effect);
  };
  let moments = new Map();
  const noteAnimations = () => {
    const before = moments;
    moments = new Map();
    for (const { effect } of new Set(trees.flatMap((tree) => tree.getAnimations()))) {
      if (!effect?.target || kindOf(effect) === null) continue;
      const { progress, currentIteration } = effect.getComputedTiming();
      moments.set(effect, progress + ' ' + currentIteration);
    }
    for (const effect of new Set([...before.keys(), ...moments.keys()])) {
      if (before.get(effect) === moments.get(effect) || !effect.target) continue;
      suspects.add(effect.target);
      if (kindOf(effect) === 'scale') scaled.add(effect.target);
      if (kindOf(effect) === 'variable') swept.add(effect.target);
    }
  };

  const apart = 'canvas, video, iframe, object, embed, [style*="3d("], [style*="rotateX("], [style*="rotateY("], [style*="Z("]';
  let rulesRead = 0;
  const rulesSaySpace = () => {
    try {
      const lists = trees.flatMap((tree) => [...tree.styleSheets, ...tree.adoptedStyleSheets]).map(({ cssRules }) => cssRules);
      const count = lists.reduce((sum, { length }) => sum + length, 0);
      if (count === rulesRead) return false;
      rulesRead = count;
      return lists.some((rules) => Array.from(rules).some(({ cssText }) => saysSpace.test(cssText)));
    } catch {
      // A sheet that may not be read.
      return true;
    }
  };
  /** Whether there may be layers beside that of the page. */
  const hasLayers = () => {
    seenSpace ||= rulesSaySpace();
    return seenSpace || trees.some((tree) => tree.querySelector(apart) !== null);
  };
  const ownContent = new WeakMap();
  const toggle = (element, name) => element.setAttribute(name, element.getAttribute(name) === 'a' ? 'b' : 'a');
  const renewLayers = () => {
    for (const element of scaled) {
      if (!ownContent.has(element)) ownContent.set(element, getComputedStyle(element).content.includes('('));
      if (element !== document.documentElement && element !== document.body && !ownContent.get(element)) toggle(element, layerMark);
    }
  };
  const drawAnew = () => {
    const marked = new Set(suspects);
    for (const element of suspects) for (const inner of allIn(element, '[' + mark + ']')) marked.add(inner);
    for (const element of marked) toggle(element, mark);
  };
  Object.defineProperty(window, '__kodaDrawExactly', {
    value: () => {
      findTrees();
      noteMutations(observer.takeRecords());
      noteAnimations();
      noteDrawings();
      sweep();
      if (suspects.size > 0) drawAnew();
      if (scaled.size > 0 && hasLayers()) renewLayers();
      suspects = new Set();
      scaled = new Set();
      swept = new Set();
    },
  });
})()`;

/** To be evaluated after the page was set to a moment. */
export const drawExactlyExpression = 'window.__kodaDrawExactly?.()';
