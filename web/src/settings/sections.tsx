import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDollars } from '#contract/display.ts';
import type { Limit, LimitId } from '#contract/settings.ts';
import { motions, type Theme, themes, useAppearance } from '../ui/appearance.ts';
import { cx } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';

export const sectionIds = ['model', 'tools', 'programs', 'limits', 'appearance', 'shortcuts', 'about'] as const;
export type SectionId = (typeof sectionIds)[number];

interface SectionProps {
  id: SectionId;
  title: string;
  lead: string;
  children: ReactNode;
}

export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={cx('scroll-mt-6 border-line border-t py-8 first:border-t-0 sm:py-10', id !== 'model' && 'xl:max-w-172')}
    >
      <h2 id={`${id}-title`} tabIndex={-1} className="font-semibold text-base tracking-tight outline-none">
        {title}
      </h2>
      <p className="mt-1 text-pretty text-ink-2">{lead}</p>
      <div className="mt-5">{children}</div>
    </section>
  );
}

const limitGroups: readonly { title: string; ids: readonly LimitId[] }[] = [
  { title: 'Sandboxes and renders', ids: ['sandboxes', 'sandbox-memory', 'sandbox-cpus', 'renders', 'render-workers'] },
  {
    title: 'One agent run',
    ids: ['run-steps', 'run-minutes', 'run-tokens', 'run-cost', 'answer-tokens', 'model-silence'],
  },
  {
    title: 'Disk and uploads',
    ids: ['sandbox-disk', 'sandbox-disk-reserve', 'data-size', 'project-size', 'disk-reserve', 'upload-size', 'prompt-length'],
  },
];
const limitNames: Record<LimitId, string> = {
  sandboxes: 'Sandboxes at a time',
  'sandbox-memory': 'Memory per sandbox',
  'sandbox-cpus': 'Processors per sandbox',
  'sandbox-disk': 'Files per sandbox',
  'sandbox-disk-reserve': 'Reserved on Docker’s disk',
  renders: 'Renders at a time',
  'render-workers': 'Browsers per render',
  'data-size': 'All projects together',
  'project-size': 'One project',
  'disk-reserve': 'Reserved on the disk',
  'upload-size': 'Largest upload',
  'prompt-length': 'Longest prompt',
  'run-steps': 'Model turns',
  'run-minutes': 'Working time',
  'run-tokens': 'Tokens in and out',
  'run-cost': 'Cost',
  'answer-tokens': 'Tokens per response',
  'model-silence': 'Model idle timeout',
};
const unitNames = { bytes: 'MB', characters: 'characters', minutes: 'min', seconds: 's', tokens: 'tokens' } as const;
const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Formats a limit in its variable's unit. */
export function limitText({ id, value, unit }: Pick<Limit, 'id' | 'value' | 'unit'>): string {
  if (value === null) return id === 'data-size' ? 'Limited by the disk' : 'No limit';
  if (unit === 'usd') return formatDollars(value);
  const amount = (unit === 'bytes' ? value / 1024 ** 2 : value).toLocaleString('en', { maximumFractionDigits: 2 });
  return unit === 'count' ? amount : `${amount} ${unitNames[unit]}`;
}

export function LimitsTable({ limits }: { limits: readonly Limit[] }) {
  return (
    <div className="grid gap-6">
      {limitGroups.map(({ title, ids }) => (
        <table key={title} className="w-full border-collapse text-[13px]">
          <caption className="pb-1.5 text-left font-medium text-ink-2">{title}</caption>
          <tbody>
            {ids.map((id) => {
              const limit = limits.find((candidate) => candidate.id === id);
              if (!limit) return null;
              return (
                <tr key={id} className="border-line border-t align-baseline max-sm:grid max-sm:grid-cols-[1fr_auto]">
                  <th scope="row" className="py-2 pr-4 text-left font-normal max-sm:pb-0 sm:w-[45%]">
                    {limitNames[id]}
                  </th>
                  <td className="py-2 pr-4 tabular-nums max-sm:pr-0 max-sm:pb-0">{limitText(limit)}</td>
                  <td className="wrap-anywhere py-2 text-right text-ink-3 text-xs max-sm:col-span-2 max-sm:pt-0.5 max-sm:text-left">
                    {limit.variable === null ? 'fixed' : <code className="font-mono text-[11px]">{limit.variable}</code>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      ))}
    </div>
  );
}

const icons: Record<Theme, ReactNode> = {
  system: <Monitor className="size-3.5" />,
  light: <Sun className="size-3.5" />,
  dark: <Moon className="size-3.5" />,
};

export function AppearanceSection() {
  const { theme, motion, setTheme, setMotion } = useAppearance();
  return (
    <Section id="appearance" title="Appearance" lead="For this browser. Open tabs change immediately.">
      <div className="grid gap-5">
        <Row label="Theme">
          <Choice
            label="Theme"
            value={theme}
            options={themes.map((value) => ({ value, label: themeNames[value], icon: icons[value] }))}
            onChange={setTheme}
          />
        </Row>
        <Row label="Motion" hint="Reduced: nothing on the page slides or fades, and videos wait until you play them.">
          <Choice
            label="Motion"
            value={motion}
            options={motions.map((value) => ({ value, label: value === 'system' ? 'System' : 'Reduced' }))}
            onChange={setMotion}
          />
        </Row>
      </div>
    </Section>
  );
}

function Row({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <p aria-hidden="true" className="font-medium text-[13px]">
          {label}
        </p>
        {hint && <p className="text-ink-2 text-xs">{hint}</p>}
      </div>
      {children}
    </div>
  );
}
