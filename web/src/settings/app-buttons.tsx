import { Keyboard, Settings } from 'lucide-react';
import { openShortcuts } from '../shortcuts/shortcuts-host.tsx';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';

/** What every page of the studio has in its corner: the list of keys and the settings. */
export function AppButtons() {
  return (
    <div className="flex items-center">
      <IconButton label="Keyboard shortcuts (?)" onClick={openShortcuts}>
        <Keyboard aria-hidden="true" className="size-4" />
      </IconButton>
      <Link
        href="/settings"
        aria-label={texts.settings.open}
        title={texts.settings.open}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-2 transition-colors hover:bg-sunken hover:text-ink"
      >
        <Settings aria-hidden="true" className="size-4" />
      </Link>
    </div>
  );
}
