import type { ReactNode } from 'react';
import { useDocument } from '../document.ts';
import { navigate } from '../router.ts';

/** The navigation around all pages. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { name, pages } = useDocument();
  return (
    <>
      <nav aria-label={name}>
        {pages.map((page) => (
          <a
            key={page.id}
            href={`/${page.id}`}
            onClick={(event) => {
              event.preventDefault();
              navigate(`/${page.id}`);
            }}
          >
            {page.name}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}
