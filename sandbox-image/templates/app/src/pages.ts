import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type PageModule = { readonly default: ComponentType };

const modules = import.meta.glob<PageModule>('./pages/*.tsx');

const components = new Map(
  Object.entries(modules).map(([file, load]) => [file.replace('./pages/', '').replace('.tsx', ''), lazy(load)] as const),
);

/** Returns the printed page, or `null` if there is no file for it. */
export const pageComponent = (id: string): LazyExoticComponent<ComponentType> | null => components.get(id) ?? null;
