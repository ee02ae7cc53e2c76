import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx, IconButton } from '../../../ui/elements.tsx';
import type { NetworkRequest } from './app-page.ts';

interface NetworkListProps {
  requests: readonly NetworkRequest[];
  onClear: () => void;
  /** Shown at the start of the head. */
  lead: ReactNode;
}

/** Requests of the app's page, the newest one first. */
export function NetworkList({ requests, onClear, lead }: NetworkListProps) {
  return (
    <section
      aria-label="Network"
      className="flex h-56 max-h-[45%] shrink-0 flex-col border-line border-t bg-panel text-[13px] max-sm:h-40"
    >
      <div className="flex shrink-0 items-center gap-2 border-line border-b px-3 py-1 sm:px-4">
        {lead}
        <IconButton icon={Trash2} label="Clear requests" disabled={requests.length === 0} onClick={onClear} className="ml-auto" />
      </div>
      {requests.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">No requests yet.</p>
      ) : (
        <div
          role="log"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it.
          tabIndex={0}
          aria-label="Requests"
          aria-live="off"
          className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]"
        >
          <table className="w-full font-mono text-xs">
            <thead className="sr-only">
              <tr>
                <th scope="col">Method</th>
                <th scope="col">Path</th>
                <th scope="col">Status</th>
                <th scope="col">Duration</th>
              </tr>
            </thead>
            <tbody>
              {requests.toReversed().map(({ key, method, path, status, ms }) => (
                <tr key={key} className={cx('border-line border-b', isFailed(status) && 'bg-bad-soft text-bad')}>
                  <td className="w-16 px-4 py-1">{method}</td>
                  <td className="wrap-anywhere py-1">{path}</td>
                  <td className="w-24 py-1 text-right tabular-nums">{status === 0 ? 'no answer' : status}</td>
                  <td className="w-24 px-4 py-1 text-right text-ink-3 tabular-nums">{`${Math.round(ms)} ms`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const isFailed = (status: number): boolean => status === 0 || status >= 400;
