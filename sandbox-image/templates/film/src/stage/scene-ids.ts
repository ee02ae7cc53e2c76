/**
 * Keeps an id that repeats in several scenes to the visible one. `url(#id)`, `href` and scripts mean the first element in the
 * document, which would otherwise be that of an earlier scene.
 */
export class SceneIds {
  readonly #stage: HTMLElement;
  readonly #observer: MutationObserver;
  /** Elements of hidden scenes that lost their id to a visible scene. */
  readonly #held = new Map<Element, string>();
  #visible: string | null = null;

  constructor(stage: HTMLElement) {
    this.#stage = stage;
    this.#observer = new MutationObserver(() => undefined);
    this.#observer.observe(stage, { subtree: true, childList: true, attributes: true, attributeFilter: ['id'] });
  }

  /** Call when a frame's scenes are known, and again when its elements are. Does nothing if no id and no scene has changed. */
  update(visibleScenes: readonly string[]): void {
    const changed = this.#observer.takeRecords().some(({ type, addedNodes }) => {
      return type === 'attributes' || [...addedNodes].some((node) => node instanceof Element);
    });
    const visible = visibleScenes.join('\n');
    if (!changed && visible === this.#visible) return;
    this.#visible = visible;
    const layers = [...this.#stage.querySelectorAll(':scope > [data-scene]')];
    const isShown = (layer: Element | null) => visibleScenes.includes(layer?.getAttribute('data-scene') ?? '');
    for (const [element, id] of this.#held) {
      if (element.isConnected && !isShown(element.closest('[data-scene]'))) continue;
      if (element.id === '') element.id = id;
      this.#held.delete(element);
    }
    const [shown, hidden] = [layers.filter(isShown), layers.filter((layer) => !isShown(layer))];
    const used = new Set(shown.flatMap(withIds).map(({ id }) => id));
    for (const element of hidden.flatMap(withIds)) {
      if (!used.has(element.id)) continue;
      this.#held.set(element, element.id);
      element.removeAttribute('id');
    }
    this.#observer.takeRecords();
  }
}

const withIds = (layer: Element): Element[] => [...layer.querySelectorAll('[id]')];
