import { FileDown } from 'lucide-react';

/** Covers the page while files are dragged over it, because they can be dropped anywhere. */
export function DropSheet() {
  return (
    <div className="pointer-events-none fixed inset-0 z-50 animate-fade bg-ground/85 p-4 backdrop-blur-[2px]">
      <div className="flex h-full flex-col items-center justify-center rounded-2xl border-2 border-accent border-dashed text-center">
        <FileDown className="mb-3 size-8 stroke-[1.5] text-accent" />
        <p className="font-semibold text-lg">Drop images, audio or fonts anywhere</p>
        <p className="mt-1 text-[13px] text-ink-2">Koda uploads them with your description and can use them in the film.</p>
      </div>
    </div>
  );
}
