import { Download, Trash2 } from 'lucide-react';
import { useContext, useId } from 'react';
import { addressOf } from '../../address.ts';
import { KindLookContext } from '../../project/kind-context.ts';
import { OriginContext } from '../../project/origin.ts';
import { projectStatus, statusTones } from '../../project/project-status.ts';
import { ProjectStill } from '../../project/project-still.tsx';
import { newestComplete } from '../../project/renders.ts';
import { buttonClass, cx, Link } from '../../ui/elements.tsx';
import type { Followed } from './use-followed.ts';
import { detailOf, type Known, nextLink } from './what-waits.ts';

/** Shows the current state of the films and apps that a turn created or changed. */
export function FollowedWork({ followed }: { followed: readonly Followed[] }) {
  const titleId = useId();
  if (followed.length === 0) return null;
  return (
    <section aria-labelledby={titleId} className="not-first:mt-4 not-last:mb-4">
      <h3 id={titleId} className="mb-2 font-medium text-[13px]">
        Where it stands
      </h3>
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-panel">
        {followed.map((one) => (
          <Row key={one.projectId} {...one} />
        ))}
      </ul>
    </section>
  );
}

function Row({ projectId, name, label, known, isDeleted, problem }: Followed) {
  const kindOf = useContext(KindLookContext);
  const status = known && projectStatus(known.project);
  const detail = known === null ? problem : detailOf(known);
  const Icon = isDeleted ? Trash2 : known && kindOf(known.project.kind)?.start?.icon;
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-3 p-3">
      <div className="relative aspect-video w-28 shrink-0 overflow-hidden rounded-lg border border-line bg-backdrop">
        <ProjectStill projectId={projectId} thumbnailUrl={(known && newestComplete(known.renders)?.thumbnailUrl) ?? null}>
          {Icon && <Icon className="mx-auto h-full w-5 text-ink-2" />}
        </ProjectStill>
      </div>
      <div className="min-w-0 flex-1">
        <p title={name} className="truncate font-medium">
          {name}
        </p>
        <p className="flex items-center gap-1.5 text-[13px] text-ink-2">
          {status !== null && <span aria-hidden="true" className={cx('size-1.5 shrink-0 rounded-full', statusTones[status])} />}
          {label ?? 'Opening…'}
        </p>
        {detail !== null && (
          <p className={cx('mt-0.5 line-clamp-3 wrap-anywhere text-[13px]', status === 'error' ? 'text-bad' : 'text-ink-2')}>
            {detail}
          </p>
        )}
      </div>
      {known !== null && <NextLink known={known} />}
    </li>
  );
}

function NextLink({ known }: { known: Known }) {
  const kind = useContext(KindLookContext)(known.project.kind);
  const { label, href, isDownload } = nextLink(known, kind, useContext(OriginContext));
  const common = {
    'aria-label': `${label}: ${known.project.name}`,
    className: cx(buttonClass('secondary'), 'max-pane:h-11 max-pane:w-full'),
  };
  if (!isDownload)
    return (
      <Link href={href} {...common}>
        {label}
      </Link>
    );
  return (
    <a href={addressOf(href)} download {...common}>
      <Download aria-hidden="true" className="size-4" />
      {label}
    </a>
  );
}
