import { useId } from 'react';
import { type AppDocument, themeIds } from '../../../../../sandbox-image/templates/app/model/document.ts';
import type { Edit } from '../../../../../sandbox-image/templates/app/model/edits.ts';
import { Button, cx } from '../../../ui/elements.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { themes } from '../home/catalogue.ts';
import { Row, TextRow } from './parts.tsx';

const modes = [
  { value: 'system', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

interface LookPanelProps {
  document: AppDocument;
  /** Edits with the same `group` are undone together. */
  edit: (edits: readonly Edit[], group?: string) => string | null;
}

/** Name and look of the app. */
export function LookPanel({ document, edit }: LookPanelProps) {
  const { name, theme, mode, colours } = document;
  const id = useId();
  const { light } = themes[theme];
  const setColours = (next: AppDocument['colours'] | null, group?: string) =>
    edit([{ type: 'set-colours', colours: next ?? null, was: colours ?? null }], group);
  return (
    <>
      <h2 className="font-semibold text-[15px]">Look</h2>
      <div className="mt-2">
        <TextRow label="Name" value={name} needed onChange={(next) => edit([{ type: 'rename-app', name: next, was: name }])} />
      </div>
      <h3 id={id} className="mt-3 mb-1.5 font-medium text-[13px]">
        Theme
      </h3>
      <div role="radiogroup" aria-labelledby={id} className="grid grid-cols-3 gap-2">
        {themeIds.map((one) => {
          const { light, dark, name: label } = themes[one];
          const { ground, panel, ink, accent } = mode === 'dark' ? dark : light;
          return (
            <label
              key={one}
              className={cx(
                'cursor-pointer overflow-hidden rounded-lg border text-center text-xs has-focus-visible:outline-2 has-focus-visible:outline-accent',
                one === theme ? 'border-accent ring-1 ring-accent' : 'border-line-strong',
              )}
            >
              <input
                type="radio"
                name={id}
                checked={one === theme}
                onChange={() => edit([{ type: 'set-theme', theme: one, was: theme }])}
                className="sr-only"
              />
              <span aria-hidden="true" className="flex h-10 items-center justify-center gap-1.5" style={{ background: ground }}>
                <span className="h-5 w-8 rounded-sm border" style={{ background: panel, borderColor: ink }} />
                <span className="size-3.5 rounded-full" style={{ background: accent }} />
              </span>
              <span className="block py-1">{label}</span>
            </label>
          );
        })}
      </div>
      <div className="mt-4">
        <Choice
          label="Light or dark"
          value={mode}
          options={modes}
          onChange={(next) => next !== mode && edit([{ type: 'set-mode', mode: next, was: mode }])}
        />
      </div>
      <div className="mt-3">
        {(['accent', 'helper'] as const).map((part) => (
          <Row key={part} label={colourNames[part]}>
            <input
              type="color"
              aria-label={colourNames[part]}
              value={colours?.[part] ?? light[part]}
              onChange={(event) => setColours({ ...colours, [part]: event.currentTarget.value.toLowerCase() }, part)}
              className="h-8 w-14 rounded-lg border border-line-strong bg-panel p-0.5"
            />
          </Row>
        ))}
        {colours !== undefined && (
          <Button size="sm" variant="quiet" onClick={() => setColours(null)}>
            Back to the colours of the theme
          </Button>
        )}
        <p className="mt-1 text-ink-3 text-xs">The app moves these colours until they can be read.</p>
      </div>
    </>
  );
}

const colourNames = { accent: 'Main colour', helper: 'Second colour' } as const;
