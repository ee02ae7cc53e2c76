import { CalendarClock, House, Settings, Sparkles } from 'lucide-react';
import { cx, Link } from '../../ui/elements.tsx';
import { startPath } from './assistant-api.ts';

const places = [
  { href: '/', label: 'Home', Icon: House },
  { href: startPath, label: 'Assistant', Icon: Sparkles },
  { href: '/schedules', label: 'Schedules', Icon: CalendarClock },
  { href: '/settings', label: 'Settings', Icon: Settings },
];

/** Places of the studio at the lower edge of a phone. */
export function PhoneBar({ here }: { here: 'start' | 'conversation' }) {
  return (
    <nav aria-label="Places" className="grid shrink-0 grid-cols-4 border-line border-t bg-panel pane:hidden">
      {places.map(({ href, label, Icon }) => (
        <Link
          key={href}
          href={href}
          aria-current={href === startPath && here === 'start' ? 'page' : undefined}
          className={cx(
            'flex min-h-14 flex-col items-center justify-center gap-1 text-[11px]',
            href === startPath ? 'font-medium text-accent-text' : 'text-ink-2',
          )}
        >
          <Icon aria-hidden="true" className="size-5" />
          {label}
        </Link>
      ))}
    </nav>
  );
}
