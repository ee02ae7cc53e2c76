import type { ReactNode } from 'react';
import { useDocument } from '../document.ts';

/** A page with its title and views. */
export function PageFrame({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const page = useDocument().pages.find((candidate) => candidate.id === id);
  return (
    <main>
      <h1>{page?.name ?? id}</h1>
      {children}
    </main>
  );
}
