import { useId, useState } from 'react';
import { type AppDocument, themeIds } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { cx } from '../../../../ui/elements.tsx';
import { Choice } from '../../../../ui/fields.tsx';
import { coloursOf, themes } from '../catalogue.ts';
import { Schematic } from '../schematic.tsx';

const modes = [
  { value: 'system', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

interface LookPanelProps {
  readonly document: AppDocument;
  readonly onChange: (part: Partial<Pick<AppDocument, 'theme' | 'mode'>>) => void;
}

/** What the app looks like, as a sketch: its pages, the shape of each view, and the theme's colours. */
export function LookPanel({ document, onChange }: LookPanelProps) {
  const { name, theme, mode, pages } = document;
  const colours = coloursOf(document);
  const id = useId();
  const [pageId, setPageId] = useState<string | null>(null);
  const page = pages.find((one) => one.id === pageId) ?? pages[0];
  const view = page?.views[0]?.view ?? 'table';
  return (
    <>
      <h2 className="mb-2 text-[13px] text-ink-2">Sketch of the app</h2>
      <div
        aria-hidden="true"
        className="flex aspect-[1.28] select-none overflow-hidden rounded-lg border border-line-strong text-[9px] leading-3.5 shadow-card"
        style={{ background: colours.ground, color: colours.ink }}
      >
        <div className="w-[24%] shrink-0 p-2">
          <p className="mb-2.5 flex items-center gap-1 font-semibold">
            <span className="size-2.5 shrink-0 rounded-xs" style={{ background: colours.accent }} />
            <span className="truncate">{name}</span>
          </p>
          {pages
            .filter((one) => one.public !== true)
            .slice(0, 9)
            .map((one) => (
              <p key={one.id} className="truncate rounded-sm px-1 py-0.5" style={one === page ? { background: colours.panel } : {}}>
                {one.name}
              </p>
            ))}
        </div>
        <div
          className="m-1.5 ml-0 flex min-w-0 flex-1 flex-col overflow-hidden rounded-md border"
          style={{ background: colours.panel, borderColor: colours.line }}
        >
          <p className="flex items-center justify-between p-2 pb-1 font-semibold text-[11px]">
            <span className="truncate">{page?.name}</span>
            <span className="shrink-0 rounded-xs px-1.5 py-0.5 text-[8px] leading-2.5" style={{ background: colours.accent, color: colours.panel }}>
              New
            </span>
          </p>
          <Schematic view={view} colours={colours} className="min-h-0 w-full flex-1" />
        </div>
      </div>
      <div role="group" aria-label="Page of the sketch" className="mt-3 flex flex-wrap justify-center gap-1">
        {pages.map((one) => (
          <button
            key={one.id}
            type="button"
            aria-pressed={one === page}
            onClick={() => setPageId(one.id)}
            className="h-7.5 max-w-40 truncate rounded-full px-3 text-[13px] text-ink-2 hover:text-ink aria-pressed:bg-panel aria-pressed:font-medium aria-pressed:text-ink"
          >
            {one.name}
          </button>
        ))}
      </div>
      <h2 id={id} className="mt-5 mb-2 font-semibold">
        Look
      </h2>
      <div role="radiogroup" aria-labelledby={id} className="grid grid-cols-3 gap-2 sm:grid-cols-6">
        {themeIds.map((one) => {
          const { ground, ink, accent } = themes[one][one === 'midnight' || mode === 'dark' ? 'dark' : 'light'];
          return (
            <label key={one} className="cursor-pointer text-center text-[13px]">
              <input type="radio" name={id} checked={one === theme} onChange={() => onChange({ theme: one })} className="peer sr-only" />
              <span
                className={cx(
                  'block rounded-lg border border-line-strong p-2 peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:outline-offset-3',
                  one === theme && 'ring-2 ring-accent ring-offset-2 ring-offset-backdrop',
                )}
                style={{ background: ground }}
              >
                <span className="block h-1 w-full rounded-full" style={{ background: ink }} />
                <span className="mt-1.5 block h-3 w-1/2 rounded-sm" style={{ background: accent }} />
              </span>
              <span className={cx('mt-1 block', one === theme ? 'font-medium' : 'text-ink-2')}>{themes[one].name}</span>
            </label>
          );
        })}
      </div>
      <div className="mt-4">
        <Choice label="Light or dark" value={mode} options={modes} onChange={(next) => onChange({ mode: next })} />
      </div>
    </>
  );
}
