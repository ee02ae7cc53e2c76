import { CircleAlert, Lock, PenLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { isWritablePath } from '../../../server/contract/paths.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import type { OpenDocument } from './open-document.ts';

interface DocumentNoticesProps {
  document: OpenDocument;
  /** The agent writes this file right now. */
  streaming: boolean;
  /** The two versions are being compared. */
  comparing: boolean;
  onCompare: () => void;
}

/** What its reader has to know of a file, and what has to be decided. */
export function DocumentNotices({ document, streaming, comparing, onCompare }: DocumentNoticesProps) {
  const { dirty, error, theirs } = useStore(document.store);
  return (
    <>
      {!isWritablePath(document.path) && <Strip icon={<Lock />}>{texts.code.readOnlyPath}</Strip>}
      {streaming && dirty && <Strip icon={<PenLine />}>{texts.code.agentWritesOver}</Strip>}
      {theirs && !streaming && (
        <Strip icon={<CircleAlert />} warn>
          <span role="alert" className="min-w-48 flex-1">
            {theirs.version === null ? texts.code.deletedElsewhere : texts.code.changedElsewhere}
          </span>
          <span className="flex flex-wrap gap-1.5">
            {theirs.version !== null && !comparing && (
              <Button size="sm" onClick={onCompare}>
                {texts.code.compareTheirs}
              </Button>
            )}
            <Button size="sm" onClick={() => document.takeTheirs()}>
              {texts.code.takeTheirs}
            </Button>
            <Button size="sm" onClick={() => document.keepMine()}>
              {theirs.bySaving ? texts.code.saveMine : texts.code.keepMine}
            </Button>
          </span>
        </Strip>
      )}
      {error && (
        <div className="shrink-0 border-line border-b p-2">
          <ErrorNotice error={error}>
            <span className="block">{texts.code.saveFailed}</span>
          </ErrorNotice>
        </div>
      )}
    </>
  );
}

function Strip({ icon, warn = false, children }: { icon: ReactNode; warn?: boolean; children: ReactNode }) {
  return (
    <div
      className={cx(
        'flex shrink-0 items-center gap-2 border-line border-b px-4 py-1.5 text-[13px] leading-5',
        warn ? 'bg-warn-soft text-warn' : 'bg-sunken text-ink-2',
      )}
    >
      <span aria-hidden="true" className="[&_svg]:size-4">
        {icon}
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">{children}</div>
    </div>
  );
}
