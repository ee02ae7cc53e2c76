import build from 'virtual:build';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { addressOf } from '../address.ts';
import { api } from '../api/client.ts';
import { Button, ErrorNotice, Waiting } from '../ui/elements.tsx';
import { Section } from './sections.tsx';

const LicenceListView = lazy(() => import('./licence-list.tsx'));

export function AboutSection() {
  const about = useQuery({ queryKey: ['about'], queryFn: ({ signal }) => api.about(signal) });
  const [isOpen, setIsOpen] = useState(false);
  const known = (version: string | null | undefined) =>
    about.isPending ? '…' : (version ?? 'Available after the first sandbox starts');
  return (
    <Section id="about" title="About" lead="Koda turns a description into a finished film, on your own machine.">
      {about.isError && <ErrorNotice error={about.error} />}
      <dl className="text-[13px]">
        <Row name="Koda">
          {about.data?.version ?? '…'}
          <span className="text-ink-2">
            , {build.commit === null ? `built on ${build.date}` : `built on ${build.date} from ${build.commit}`}
          </span>
        </Row>
        <Row name="Node.js">{known(about.data?.node)}</Row>
        <Row name="Sandboxes">
          {about.isPending ? '…' : (about.data?.engine ?? 'Processes on this machine, without isolation')}
        </Row>
        <Row name="Chromium">{known(about.data?.chromium)}</Row>
        <Row name="FFmpeg">{known(about.data?.ffmpeg)}</Row>
        <Row name="API">
          <span className="flex flex-wrap gap-x-4 gap-y-1">
            <DocumentLink href="/docs">API documentation</DocumentLink>
            <DocumentLink href="/api/openapi.json">OpenAPI file</DocumentLink>
          </span>
        </Row>
        <Row name="Licence">Apache-2.0</Row>
      </dl>
      <div className="mt-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="font-medium text-[13px]">Third-party licences</h3>
          <p className="text-pretty text-ink-2 text-xs">
            Packages used by this page and the server, including fonts. Sandboxes come with their own licences.
          </p>
        </div>
        <Button size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide licences' : 'Show licences'}
        </Button>
      </div>
      {isOpen && (
        <Suspense fallback={<Waiting className="mt-4">Loading…</Waiting>}>
          <LicenceListView />
        </Suspense>
      )}
    </Section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-4 border-line border-t py-2 first:border-t-0">
      <dt className="w-32 shrink-0 text-ink-2">{name}</dt>
      <dd className="wrap-anywhere min-w-0 flex-1 basis-48">{children}</dd>
    </div>
  );
}

/** Links to a page on the server outside the studio. */
function DocumentLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={addressOf(href)}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 text-accent-text underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {children}
      <ExternalLink className="size-3" />
    </a>
  );
}
