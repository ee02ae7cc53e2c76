/**
 * Makes a picture a function of the page alone, and not of what the browser drew before it.
 *
 * Blink takes a transform whose place moved by at most 0.01 px, and whose other numbers changed by at most 0.0001, for
 * unchanged (`RasterInvalidator::GenerateRasterInvalidations`), and draws a layer anew only when something in it changed.
 * So a bar that grows from scaleX(0.9998) to scaleX(0.9999) keeps its old picture when nothing else in its layer
 * changes, and the frame depends on which one was drawn before, and with that on the number of browsers.
 */

/** What differs by more is drawn by Blink itself, also in a parent that is shrunk to a tenth. */
const surelyDrawn = { withUnit: 0.5, plain: 0.001 };

/**
 * To be evaluated once in a page that is ready. Offers a function that has an element drawn anew, with all that is in
 * it, when its transform may have changed by too little since the last call. Without a change it does nothing, so that a
 * still page is known to be still.
 *
 * What has an element drawn anew is a mark with a style of its own that shows nothing. What attributes of the
 * document say is watched. CSS animations are not (asking for their transforms costs a tenth of such a frame), nor are
 * rules that a script changes in a style sheet, shadow trees and SMIL.
 */
export const offerExactDrawingExpression = String.raw`(() => {
  const mark = 'data-koda-drawn';
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('[' + mark + '="a"] { user-select: all !important; } [' + mark + '="b"] { user-select: text !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const observer = new MutationObserver((records) => noteMutations(records));
  observer.observe(document, { subtree: true, attributes: true });

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

  let suspects = new Set();
  const transforms = new WeakMap();
  const noteTransform = (element, transform) => {
    const before = transforms.get(element);
    transforms.set(element, transform);
    // In space an element is a layer of its own, which is moved and not drawn.
    if (/3d\(|rotate[XY]\(|(?:translate|scale)Z\(/.test(transform)) return;
    if (before === undefined || !differsSurely(before, transform)) suspects.add(element);
  };
  const noteMutations = (records) => {
    const styled = new Set();
    for (const { target, attributeName } of records) {
      if (attributeName === 'style' && target.style) styled.add(target);
      else if (attributeName !== mark) suspects.add(target);
    }
    for (const element of styled) {
      // A variable may be part of the transform of anything in the element.
      if (element.getAttribute('style')?.includes('--')) suspects.add(element);
      const transform = transformOf(element.style);
      if (/\d/.test(transform) || transforms.has(element)) noteTransform(element, transform);
    }
  };
  const drawAnew = () => {
    const marked = new Set(suspects);
    for (const element of suspects) for (const inner of element.querySelectorAll('[' + mark + ']')) marked.add(inner);
    for (const element of marked) element.setAttribute(mark, element.getAttribute(mark) === 'a' ? 'b' : 'a');
    suspects = new Set();
  };
  Object.defineProperty(window, '__kodaDrawExactly', {
    value: () => {
      noteMutations(observer.takeRecords());
      if (suspects.size > 0) drawAnew();
    },
  });
})()`;

/** To be evaluated after the page was set to a moment. */
export const drawExactlyExpression = 'window.__kodaDrawExactly?.()';
