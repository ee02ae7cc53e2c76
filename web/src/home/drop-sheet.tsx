import { FileDown } from 'lucide-react';
import { texts } from '../texts.ts';

/** Lies over the page while files are held over it: they may be dropped anywhere. */
export function DropSheet() {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 animate-fade bg-ground/85 p-4 backdrop-blur-[2px]">
      <div className="flex h-full flex-col items-center justify-center rounded-2xl border-2 border-accent border-dashed text-center">
        <FileDown aria-hidden="true" className="mb-3 size-8 stroke-[1.5] text-accent" />
        <p className="font-semibold text-lg">{texts.home.dropHere}</p>
        <p className="mt-1 text-[13px] text-ink-2">{texts.home.dropDetail}</p>
      </div>
    </div>
  );
}
