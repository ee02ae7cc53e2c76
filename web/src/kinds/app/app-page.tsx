import type { PropsWithChildren } from 'react';
import { KindPageContext } from '../../kind-page.ts';
import { plainPage } from '../../project-page/plain-page.tsx';

export default function AppPage({ children }: PropsWithChildren) {
  return <KindPageContext value={plainPage}>{children}</KindPageContext>;
}
