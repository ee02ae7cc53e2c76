import type { ReactNode } from 'react';

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
