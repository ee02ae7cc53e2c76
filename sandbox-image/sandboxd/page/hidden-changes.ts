/** Changes by scripts that leave no trace in the document's attributes. */
export interface HiddenChanges {
  shadowRoots(): ShadowRoot[];
  /** Returns whether rules in these trees have changed since the last call. */
  rulesChanged(trees: readonly Tree[]): boolean;
}

export type Tree = Document | ShadowRoot;

type Callable = (this: unknown, ...options: unknown[]) => unknown;
const isCallable = (value: unknown): value is Callable => typeof value === 'function';

/** Looked up by name, because a browser may lack the interface. */
function prototypeOf(kind: string): object | null {
  const owner: unknown = Reflect.get(window, kind);
  return isCallable(owner) ? owner.prototype : null;
}

const changers: Readonly<Record<string, readonly string[]>> = {
  CSSStyleSheet: ['insertRule', 'deleteRule', 'addRule', 'removeRule', 'replace', 'replaceSync'],
  CSSGroupingRule: ['insertRule', 'appendRule', 'deleteRule', 'selectorText', 'name'],
  CSSStyleRule: ['insertRule', 'appendRule', 'deleteRule', 'selectorText', 'name'],
  CSSKeyframesRule: ['insertRule', 'appendRule', 'deleteRule', 'selectorText', 'name'],
  StyleSheet: ['disabled'],
  CSSKeyframeRule: ['keyText'],
  MediaList: ['mediaText', 'appendMedium', 'deleteMedium'],
};

/**
 * Must run before the page's own code. Records shadow trees, and detects changes to style sheet rules by wrapping all
 * functions that make them.
 */
export function trackHiddenChanges(): HiddenChanges {
  const shadowRoots: WeakRef<ShadowRoot>[] = [];
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (...options) {
    const root = attachShadow.apply(this, options);
    shadowRoots.push(new WeakRef(root));
    return root;
  };

  let changes = 0;
  const countUse = (owner: object, name: string) => {
    const described = Object.getOwnPropertyDescriptor(owner, name);
    const part = described?.set ? 'set' : 'value';
    const original: unknown = described?.[part];
    if (!isCallable(original)) return;
    const counted: Callable = function (...options) {
      changes++;
      const result = original.apply(this, options);
      // `replace` takes effect asynchronously.
      if (result instanceof Promise) result.finally(() => changes++).catch(() => undefined);
      return result;
    };
    Object.defineProperty(owner, name, { ...described, [part]: counted });
  };
  for (const [kind, names] of Object.entries(changers)) {
    const owner = prototypeOf(kind);
    if (owner) for (const name of names) countUse(owner, name);
  }

  const declarations = trackDeclarations();
  let counted = 0;
  let sheets: readonly CSSStyleSheet[] = [];
  return {
    shadowRoots: () => shadowRoots.flatMap((reference) => reference.deref() ?? []).filter((root) => root.host.isConnected),
    rulesChanged: (trees) => {
      // A style element gets a new sheet when its text changes.
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
  };
}

/** Records the declarations that scripts have accessed, with their text. */
function trackDeclarations(): Map<CSSStyleDeclaration, string> {
  const declarations = new Map<CSSStyleDeclaration, string>();
  for (const kind of ['CSSStyleRule', 'CSSKeyframeRule', 'CSSNestedDeclarations']) {
    const owner = prototypeOf(kind);
    const readStyle = owner && Object.getOwnPropertyDescriptor(owner, 'style')?.get;
    if (!readStyle) continue;
    for (const name of ['style', 'styleMap']) {
      const described = Object.getOwnPropertyDescriptor(owner, name);
      const read = described?.get;
      if (!read) continue;
      Object.defineProperty(owner, name, {
        ...described,
        get(this: CSSRule) {
          const declaration: CSSStyleDeclaration = readStyle.call(this);
          if (!declarations.has(declaration)) declarations.set(declaration, declaration.cssText);
          return read.call(this);
        },
      });
    }
  }
  return declarations;
}
