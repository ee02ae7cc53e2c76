import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { motions, type Theme, themes, useAppearance } from '../ui/appearance.ts';
import { Choice } from '../ui/choice.tsx';
import { Section } from './section.tsx';

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
