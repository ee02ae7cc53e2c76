import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type PageModule = { readonly default: ComponentType };

const modules = import.meta.glob<PageModule>('./pages/*.tsx');
const components = new Map<string, LazyExoticComponent<ComponentType>>();

/** Returns the printed page, or `null` if there is no file for it. A page that failed to load is loaded again. */
export function pageComponent(id: string): LazyExoticComponent<ComponentType> | null {
  const known = components.get(id);
  const load = modules[`./pages/${id}.tsx`];
  if (known || !load) return known ?? null;
  const component = lazy(async () => {
    try {
      return await load();
    } catch (error) {
      components.delete(id);
      throw error;
    }
  });
  components.set(id, component);
  return component;
}
