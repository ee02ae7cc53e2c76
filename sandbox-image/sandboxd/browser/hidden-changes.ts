/**
 * Runs before the page's own code. Keeps what a script can change without any trace in the document's attributes:
 * shadow trees, also closed ones, and rules of style sheets, which may be held by a script from the beginning on.
 */
export const watchHiddenChangesExpression = `(() => {
  const shadowRoots = [];
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (...options) {
    const root = attachShadow.apply(this, options);
    shadowRoots.push(new WeakRef(root));
    return root;
  };

  let changes = 0;
  /** Whatever calls or sets it changes rules. */
  const countUse = (kind, name) => {
    const owner = window[kind]?.prototype;
    const described = owner && Object.getOwnPropertyDescriptor(owner, name);
    const part = described?.set ? 'set' : 'value';
    const original = described?.[part];
    if (typeof original !== 'function') return;
    Object.defineProperty(owner, name, {
      ...described,
      [part]: function (...options) {
        changes++;
        const result = original.apply(this, options);
        // A sheet that is replaced later, once it is read.
        if (result instanceof Promise) result.finally(() => changes++).catch(() => undefined);
        return result;
      },
    });
  };
  for (const name of ['insertRule', 'deleteRule', 'addRule', 'removeRule', 'replace', 'replaceSync']) countUse('CSSStyleSheet', name);
  for (const kind of ['CSSGroupingRule', 'CSSStyleRule', 'CSSKeyframesRule'])
    for (const name of ['insertRule', 'appendRule', 'deleteRule', 'selectorText', 'name']) countUse(kind, name);
  countUse('StyleSheet', 'disabled');
  countUse('CSSKeyframeRule', 'keyText');
  for (const name of ['mediaText', 'appendMedium', 'deleteMedium']) countUse('MediaList', name);

  /** Declarations of rules that a script has got hold of, and what they said. */
  const declarations = new Map();
  for (const kind of ['CSSStyleRule', 'CSSKeyframeRule', 'CSSNestedDeclarations']) {
    const owner = window[kind]?.prototype;
    const style = owner && Object.getOwnPropertyDescriptor(owner, 'style');
    for (const name of ['style', 'styleMap']) {
      const described = owner && Object.getOwnPropertyDescriptor(owner, name);
      if (!described?.get) continue;
      Object.defineProperty(owner, name, {
        ...described,
        get() {
          const declaration = style.get.call(this);
          if (!declarations.has(declaration)) declarations.set(declaration, declaration.cssText);
          return described.get.call(this);
        },
      });
    }
  }

  let counted = 0;
  let sheets = [];
  Object.defineProperty(window, '__kodaHiddenChanges', {
    value: {
      shadowRoots: () => shadowRoots.map((root) => root.deref()).filter((root) => root?.host.isConnected),
      /** Whether rules of these trees have changed since the last call. */
      rulesChanged: (trees) => {
        // A style element whose text is written anew has another sheet.
        const now = trees.flatMap((tree) => [...tree.styleSheets, ...tree.adoptedStyleSheets]);
        let changed = changes !== counted || now.length !== sheets.length || now.some((sheet, at) => sheet !== sheets[at]);
        counted = changes;
        sheets = now;
        for (const [declaration, before] of declarations) {
          const { cssText } = declaration;
          if (cssText === before) continue;
          declarations.set(declaration, cssText);
          changed = true;
        }
        return changed;
      },
    },
  });
})()`;
