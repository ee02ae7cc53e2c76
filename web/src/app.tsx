import { Compass, TriangleAlert } from 'lucide-react';
import { Component, lazy, type ReactNode, Suspense } from 'react';
import { HomePage } from './home/home-page.tsx';
import { StudioTabs } from './home/studio-header.tsx';
import { kinds, placeAt } from './kinds.ts';
import { ProjectPage } from './project-page/project-page.tsx';
import { navigate, parseRoute, usePathname } from './router.ts';
import { ShortcutsHost } from './shortcuts/shortcuts-host.tsx';
import { SignInGate } from './sign-in.tsx';
import { Button, Empty } from './ui/elements.tsx';
import { Toasts } from './ui/toasts.tsx';

const SchedulesPage = lazy(() => import('./schedules/schedules-page.tsx'));
const SettingsPage = lazy(() => import('./settings/settings-page.tsx'));

const tabs = [
  { path: '/', name: 'Home' },
  ...kinds.flatMap(({ place }) => (place === undefined ? [] : [{ path: place.path, name: place.name }])),
  { path: '/schedules', name: 'Schedules' },
];

export function App() {
  const pathname = usePathname();
  return (
    <>
      <CrashGuard key={pathname}>
        <SignInGate>
          <StudioTabs value={tabs}>
            <Suspense>
              <Page pathname={pathname} />
            </Suspense>
          </StudioTabs>
        </SignInGate>
      </CrashGuard>
      <ShortcutsHost />
      <Toasts />
    </>
  );
}

function Page({ pathname }: { pathname: string }) {
  const place = placeAt(pathname);
  if (place !== null) return <place.Page />;
  const route = parseRoute(pathname);
  switch (route.page) {
    case 'home':
      return <HomePage />;
    case 'project':
      return <ProjectPage projectId={route.projectId} />;
    case 'schedules':
      return <SchedulesPage />;
    case 'settings':
      return <SettingsPage />;
    case 'unknown':
      return (
        <Empty heading icon={<Compass />} title="Page not found" text={pathname}>
          <Button onClick={() => navigate('/')}>Back to all projects</Button>
        </Empty>
      );
  }
}

/** Offers a reload if a page fails to render. React itself logs the error to the console. */
class CrashGuard extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return (
      <Empty
        heading
        icon={<TriangleAlert />}
        title="This page crashed"
        text="Your project is safe on the server. Reload the page to continue."
      >
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </Empty>
    );
  }
}
