import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Limit } from '../../../server/contract/settings.ts';
import { formatDollars } from '../format.ts';
import { texts } from '../texts.ts';
import { motions, type Theme, themes, useAppearance } from '../ui/appearance.ts';
import { Choice } from '../ui/choice.tsx';

export const sectionIds = ['model', 'limits', 'appearance', 'shortcuts', 'about'] as const;
export type SectionId = (typeof sectionIds)[number];

interface SectionProps {
  id: SectionId;
  title: string;
  lead: string;
  children: ReactNode;
}

/** A part of the settings, which the list at the side leads to. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6 border-line border-t py-8 first:border-t-0 sm:py-10">
      <h2 id={`${id}-title`} tabIndex={-1} className="font-semibold text-base tracking-tight outline-none">
        {title}
      </h2>
      <p className="mt-1 text-pretty text-ink-2">{lead}</p>
      <div className="mt-5">{children}</div>
    </section>
  );
}

/** A limit in words, in the unit in which its variable counts. Pure. */
export function limitText({ id, value, unit }: Pick<Limit, 'id' | 'value' | 'unit'>): string {
  const { units, none, noneOther } = texts.settings.limits;
  if (value === null) return id === 'data-size' ? none : noneOther;
  const count = (amount: number) => amount.toLocaleString('en', { maximumFractionDigits: 2 });
  if (unit === 'usd') return formatDollars(value);
  return unit === 'bytes' ? units.megabytes(count(value / 1024 ** 2)) : units[unit](count(value));
}

/** What this installation allows, and where each is set. */
export function LimitsTable({ limits }: { limits: readonly Limit[] }) {
  const words = texts.settings.limits;
  return (
    <div className="grid gap-6">
      {words.groups.map(({ title, ids }) => (
        <table key={title} className="w-full border-collapse text-[13px]">
          <caption className="pb-1.5 text-left font-medium text-ink-2">{title}</caption>
          <tbody>
            {ids.map((id) => {
              const limit = limits.find((candidate) => candidate.id === id);
              if (!limit) return null;
              return (
                <tr key={id} className="border-line border-t align-baseline max-sm:grid max-sm:grid-cols-[1fr_auto]">
                  <th scope="row" className="py-2 pr-4 text-left font-normal max-sm:pb-0 sm:w-[45%]">
                    {words.names[id]}
                  </th>
                  <td className="py-2 pr-4 tabular-nums max-sm:pr-0 max-sm:pb-0">{limitText(limit)}</td>
                  <td className="wrap-anywhere py-2 text-right text-ink-3 text-xs max-sm:col-span-2 max-sm:pt-0.5 max-sm:text-left">
                    {limit.variable === null ? words.fixed : <code className="font-mono text-[11px]">{limit.variable}</code>}
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

const words = texts.settings.appearance;
const icons: Record<Theme, ReactNode> = {
  system: <Monitor aria-hidden="true" className="size-3.5" />,
  light: <Sun aria-hidden="true" className="size-3.5" />,
  dark: <Moon aria-hidden="true" className="size-3.5" />,
};

/** How the page looks in this browser. */
export function AppearanceSection() {
  const { theme, motion, setTheme, setMotion } = useAppearance();
  return (
    <Section id="appearance" title={words.title} lead={words.lead}>
      <div className="grid gap-5">
        <Row label={words.theme}>
          <Choice
            label={words.theme}
            value={theme}
            options={themes.map((value) => ({ value, label: words.themes[value], icon: icons[value] }))}
            onChange={setTheme}
          />
        </Row>
        <Row label={words.motion} hint={words.motionHint}>
          <Choice
            label={words.motion}
            value={motion}
            options={motions.map((value) => ({ value, label: words.motions[value] }))}
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
