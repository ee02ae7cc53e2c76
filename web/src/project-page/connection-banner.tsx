import { WifiOff } from 'lucide-react';
import { useStore } from 'zustand';
import { useProject } from '../project/context.ts';
import { Button } from '../ui/elements.tsx';

/** Says that the page does not follow the project, and what helps. */
export function ConnectionBanner() {
  const { handle } = useProject();
  const lost = useStore(handle.store, (state) => state.connection === 'reconnecting');
  const outdated = useStore(handle.store, (state) => state.outdated);
  if (outdated) {
    return (
      <p
        role="status"
        className="flex animate-fade items-center justify-center gap-3 bg-warn-soft px-4 py-1 text-[13px] text-warn"
      >
        Koda was updated while this page was open.
        <Button size="sm" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </p>
    );
  }
  if (!lost) return null;
  return (
    <p
      role="status"
      className="flex animate-fade items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-[13px] text-warn"
    >
      <WifiOff className="size-4" />
      Connection lost. Reconnecting; your work is safe.
    </p>
  );
}
