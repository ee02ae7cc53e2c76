import { CircleAlert, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** “No item matches ‘drl’ with 3 filters.” */
export function NothingFound({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <div className="grid flex-1 content-center justify-items-center gap-3 p-8 text-center">
      <Icon of={SearchX} size={24} className="text-ink-3" />
      <p className="text-ink-2">{text}</p>
      <Button onClick={onClear}>Clear filters</Button>
    </div>
  );
}

/** Grey bars in the place of rows that are still loading. They appear after 150 ms. */
export function Skeleton({ rows = 8, height = 40 }: { rows?: number; height?: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex items-center gap-6 px-6" style={{ blockSize: height }}>
          <span className="bone h-3" style={{ inlineSize: `${28 + ((row * 7) % 18)}%` }} />
          <span className="bone h-3 w-[12%]" />
          <span className="bone h-3 w-[16%]" />
        </div>
      ))}
    </div>
  );
}

/** Shown in the place of a part that stopped. */
export function ErrorCard({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="error-card" role="alert">
      <Icon of={CircleAlert} size={18} className="mt-px shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {text !== undefined && <p className="mt-1 text-ink-2 text-sm">{text}</p>}
        {children}
      </div>
    </div>
  );
}
