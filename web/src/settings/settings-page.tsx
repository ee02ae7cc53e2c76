import { useQuery } from '@tanstack/react-query';
import { ChevronLeft } from 'lucide-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { addressOf } from '../address.ts';
import { api } from '../api/client.ts';
import { goBack } from '../router.ts';
import { ShortcutList } from '../shortcuts/shortcuts-dialog.tsx';
import { Button, cx, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { AboutSection } from './about-section.tsx';
import { McpServersSection, useMcpServers } from './mcp-servers.tsx';
import { ModelForm } from './model-form.tsx';
import { OtherProgramsSection, useTokens } from './other-programs.tsx';
import { AppearanceSection, LimitsTable, Section, type SectionId, sectionIds } from './sections.tsx';

const sectionTitles: Record<SectionId, string> = {
  model: 'Model',
  tools: 'Tools of MCP servers',
  programs: 'Other programs',
  limits: 'Limits',
  appearance: 'Appearance',
  shortcuts: 'Shortcuts',
  about: 'About',
};

export default function SettingsPage() {
  const scroller = useRef<HTMLDivElement>(null);
  const settings = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => api.settings(signal) });
  const current = useSectionInSight(scroller);
  useEffect(() => {
    document.title = `Settings – Koda`;
  }, []);
  // The address may name a section, whose position depends on the settings above it.
  const parts = [settings, useMcpServers(), useTokens()];
  const isReady = parts.every(({ isPending }) => !isPending);
  useEffect(() => {
    const named = sectionIds.find((id) => `#${id}` === window.location.hash);
    if (isReady && named !== undefined && named !== 'model') document.getElementById(named)?.scrollIntoView();
  }, [isReady]);
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex h-13 shrink-0 items-center gap-2 border-line border-b bg-panel px-3 sm:px-4">
        <Button icon={ChevronLeft} variant="quiet" size="sm" onClick={goBack} className="-ml-1">
          Back
        </Button>
        <h1 className="font-medium">Settings</h1>
      </header>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-240 xl:max-w-300 grid-cols-[minmax(0,1fr)] gap-x-12 px-4 sm:px-8 md:grid-cols-[160px_minmax(0,1fr)]">
          <nav aria-label="Sections" className="sticky top-0 hidden self-start pt-10 md:block">
            <ul className="-mx-3 grid gap-0.5">
              {sectionIds.map((id) => (
                <li key={id}>
                  <SectionLink id={id} isCurrent={id === current} />
                </li>
              ))}
            </ul>
          </nav>
          <main className="min-w-0 pb-24">
            <Waiting isPending={!isReady} error={settings.error} onRetry={() => void settings.refetch()} />
            {isReady && settings.data && (
              <>
                <Section
                  id="model"
                  title="Connect a model"
                  lead="Optional. Words, numbers and lists need none. A model adds drawings and code."
                >
                  <ModelForm view={settings.data.model} />
                </Section>
                <McpServersSection />
                <OtherProgramsSection />
                <Section
                  id="limits"
                  title="Limits"
                  lead="The limits of this installation. Set them in .env; they apply from the next start."
                >
                  <LimitsTable limits={settings.data.limits} />
                </Section>
              </>
            )}
            {/* Rendered once the sections above have their height. */}
            {isReady && (
              <>
                <AppearanceSection />
                <Section id="shortcuts" title="Shortcuts" lead="Press ? anywhere to open this list.">
                  <ShortcutList />
                </Section>
                <AboutSection />
              </>
            )}
          </main>
        </div>
      </div>
    </div>
  );
}

function SectionLink({ id, isCurrent }: { id: SectionId; isCurrent: boolean }) {
  // A fragment alone would name a part of the page's base.
  const href = addressOf(`/settings#${id}`);
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    // Back leaves the settings instead of stepping through the sections.
    window.history.replaceState(window.history.state, '', href);
    document.getElementById(id)?.scrollIntoView();
    document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
  };
  return (
    <a
      href={href}
      onClick={follow}
      aria-current={isCurrent ? 'true' : undefined}
      className={cx(
        'block rounded-lg px-3 py-1.5 text-[13px] transition-colors hover:text-ink',
        isCurrent ? 'bg-bubble font-medium text-ink' : 'text-ink-2 hover:bg-sunken',
      )}
    >
      {sectionTitles[id]}
    </a>
  );
}

function Waiting({ isPending, error, onRetry }: { isPending: boolean; error: Error | null; onRetry: () => void }) {
  if (error) {
    return <ErrorNotice error={error} onRetry={onRetry} />;
  }
  if (!isPending) return null;
  return (
    <p role="status" className="flex min-h-72 items-center justify-center gap-2 text-[13px] text-ink-2">
      <Spinner />
      Loading the settings…
    </p>
  );
}

/** Returns the section in view: the last one that starts above the upper third, or the last one at the end of the page. */
function useSectionInSight(scroller: { readonly current: HTMLElement | null }): SectionId {
  const [current, setCurrent] = useState<SectionId>('model');
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const isAtEnd = element.scrollTop > 0 && element.scrollTop + element.clientHeight >= element.scrollHeight - 4;
      const line = element.getBoundingClientRect().top + element.clientHeight / 3;
      const started = sectionIds.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? line) < line);
      setCurrent((isAtEnd ? sectionIds : started).at(-1) ?? 'model');
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [scroller]);
  return current;
}
