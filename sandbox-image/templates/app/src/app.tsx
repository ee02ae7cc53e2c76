import { Suspense, useEffect } from 'react';
import { Boundary } from './boundary.tsx';
import { DataBrowser } from './data-browser.tsx';
import { useDocument } from './document.ts';
import { pageComponent } from './pages.ts';
import { dataPath, useLocation } from './router.ts';
import { Shell } from './shell/shell.tsx';

/** The whole page: the shell, and in it the page of the present address. */
export function App() {
  const document = useDocument();
  const { path } = useLocation();
  const [, id = '', part = ''] = path.split('/');
  const page = id === '' ? document.pages[0] : document.pages.find((candidate) => candidate.id === id);
  const title = page ? `${page.name} · ${document.name}` : document.name;
  useEffect(() => {
    window.document.title = title;
  }, [title]);
  if (id === dataPath)
    return (
      <Shell>
        <Boundary key={part} name="The data browser">
          <DataBrowser part={part} />
        </Boundary>
      </Shell>
    );
  return (
    <Shell>
      {page ? (
        <Boundary key={page.id} name={page.name}>
          <Suspense fallback={null}>
            <PrintedPage id={page.id} />
          </Suspense>
        </Boundary>
      ) : (
        <PageNotFound />
      )}
    </Shell>
  );
}

function PrintedPage({ id }: { readonly id: string }) {
  const Page = pageComponent(id);
  return Page ? <Page /> : <PageNotFound />;
}

function PageNotFound() {
  return (
    <>
      <h1 className="px-6 pt-4 text-xl">Page not found</h1>
      <p className="px-6 pt-2 text-ink-2">There is no page at this address. Choose one from the navigation.</p>
    </>
  );
}
