import { CircleCheck, CircleX } from 'lucide-react';
import { formatDurationMs } from '../../../server/contract/format.ts';
import { texts } from '../texts.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { ModelTestState } from './use-model-test.ts';

const words = texts.settings.model;

/** What each model answered, in words. */
export function ModelTest({ test }: { test: ModelTestState }) {
  const { checks, error, isPending, clear } = test;
  return (
    <div role="status" className="empty:hidden">
      {isPending && (
        <p className="flex min-h-11 items-center gap-2 rounded-lg bg-sunken px-3 text-[13px] text-ink-2">
          <Spinner />
          {words.testing}
        </p>
      )}
      {error && <ErrorNotice error={error} onDismiss={clear} />}
      {checks && (
        <ul aria-label={words.tested} className="animate-fade divide-y divide-line rounded-lg bg-sunken px-3">
          {checks.map(({ role, name, ok, detail, durationMs }) => (
            <li key={role} className="flex items-start gap-2.5 py-2.5 text-[13px] leading-5">
              {ok ? (
                <CircleCheck aria-label={words.works} className="mt-0.5 size-4 shrink-0 text-ok" />
              ) : (
                <CircleX aria-label={words.fails} className="mt-0.5 size-4 shrink-0 text-bad" />
              )}
              <div className="wrap-anywhere min-w-0 flex-1">
                <p>
                  <span className="font-medium">{name}</span> <span className="text-ink-2">{words.roles[role] ?? role}</span>
                </p>
                <p className={ok ? 'text-ink-2' : 'text-bad'}>{detail}</p>
              </div>
              {durationMs > 0 && <span className="shrink-0 text-ink-2 text-xs tabular-nums">{formatDurationMs(durationMs)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
