import { type Component, rootId, type Surface } from '#contract/surface/surface.ts';

interface SurfaceParts {
  /** What scrolls. `null` if there is nothing but the heading and the buttons. */
  readonly body: Surface | null;
  /** The buttons, the most important one last. `null` if there are none. */
  readonly footer: Surface | null;
}

/** Takes the heading and the buttons at the end from a surface, because they stay while the rest scrolls. */
export function partsOf(surface: Surface): SurfaceParts {
  const { components } = surface;
  const root = components.get(rootId);
  if (root?.component !== 'Column' || !Array.isArray(root.children)) return { body: surface, footer: null };
  const first = components.get(root.children[0] ?? '');
  const ids = first?.component === 'Text' && first.variant === 'h1' ? root.children.slice(1) : root.children;
  const end = ids.findLastIndex((id) => buttonsIn(components, id).length === 0) + 1;
  const buttons = ids.slice(end).flatMap((id) => buttonsIn(components, id));
  return {
    body: end === 0 ? null : withRoot(surface, { ...root, children: ids.slice(0, end) }),
    footer:
      buttons.length === 0
        ? null
        : withRoot(surface, { id: rootId, component: 'Row', justify: 'end', children: primaryLast(components, buttons) }),
  };
}

type Components = Surface['components'];

/** Returns the buttons that a component is or lines up. A button with more than a word is a card, which belongs to the body. */
function buttonsIn(components: Components, id: string): readonly string[] {
  const one = components.get(id);
  if (one?.component === 'Button') return components.get(one.child)?.component === 'Text' ? [id] : [];
  if (one?.component !== 'Row' || !Array.isArray(one.children)) return [];
  const buttons = one.children.filter((child) => buttonsIn(components, child).length === 1);
  return buttons.length === one.children.length ? buttons : [];
}

function primaryLast(components: Components, buttons: readonly string[]): string[] {
  const isPrimary = (id: string) => {
    const one = components.get(id);
    return one?.component === 'Button' && one.variant === 'primary';
  };
  const main = buttons.find(isPrimary) ?? buttons[0] ?? '';
  return [...buttons.filter((id) => id !== main).reverse(), main];
}

const withRoot = (surface: Surface, root: Component): Surface => ({
  ...surface,
  components: new Map(surface.components).set(rootId, root),
});
