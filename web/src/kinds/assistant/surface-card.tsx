import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Surface } from '#contract/surface/surface.ts';
import { carryOut } from '../../conversation/orders.ts';
import { useProject } from '../../project/context.ts';
import { OwnLinks } from '../../surface/own-links.tsx';
import type { PressedAction } from '../../surface/surface-context.ts';
import { isInput } from '../../surface/surface-inputs.tsx';
import { SurfaceView, useSurfaceForm } from '../../surface/surface-view.tsx';
import { cx, ErrorNotice } from '../../ui/elements.tsx';
import { useKeptSurface } from './kept-surface.ts';
import { noteAct, takeAct } from './person-acts.ts';
import { progressOf } from './steps.ts';
import { partsOf } from './surface-parts.ts';
import { VideosProgress } from './videos-progress.tsx';

interface CardProps {
  title: string;
  /** Below the title. */
  says?: string | null;
  /** Beside the title. */
  aside?: ReactNode;
  icon?: ReactNode;
  tone?: 'plain' | 'warn' | 'bad';
  footer?: ReactNode;
  width?: number;
  /** What takes the focus when the card appears. `field`: the first one if the person has caused it, else the heading. */
  focus?: 'none' | 'heading' | 'field';
  children: ReactNode;
}

/** One card is shown at a time. Its heading names the page's main part. */
export const cardTitleId = 'card-title';

const fields = 'input:enabled, select:enabled, textarea:enabled, [role="combobox"]:enabled';

const tones = { plain: '', warn: 'bg-warn-soft', bad: 'bg-bad-soft' };

/** Card on the stage: its header and footer stay, and its body scrolls. */
export function Card({
  title,
  says = null,
  aside,
  icon,
  tone = 'plain',
  footer,
  width = 660,
  focus = 'heading',
  children,
}: CardProps) {
  const { projectId } = useProject();
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focus === 'none') return;
    const isCaused = focus === 'field' && takeAct(projectId);
    if (document.querySelector('[role="dialog"]') !== null) return;
    // A phone's keyboard would cover the form.
    const mayWrite = isCaused && !matchMedia('(pointer: coarse)').matches;
    const field = mayWrite ? body.current?.querySelector<HTMLElement>(fields) : null;
    const focused = document.activeElement;
    const isWriting = focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement;
    if (isWriting && (focused.value !== '' || !field)) return;
    (field ?? heading.current)?.focus({ preventScroll: true });
  }, [focus, projectId]);
  return (
    <div
      data-surface=""
      style={{ maxWidth: width }}
      className="flex max-h-full min-h-0 w-full animate-rise flex-col overflow-hidden bg-ground pane:rounded-2xl pane:bg-panel pane:shadow-lift max-pane:flex-1"
    >
      <header className={cx('flex items-start gap-3.5 px-4 pt-5 pb-3 pane:px-6', tones[tone], tone !== 'plain' && 'pb-4.5')}>
        {icon}
        <div className="min-w-0 flex-1">
          <h2
            id={cardTitleId}
            ref={heading}
            tabIndex={-1}
            className="wrap-anywhere font-semibold text-xl leading-7 tracking-[-0.017em] outline-none max-pane:text-[22px]"
          >
            {title}
          </h2>
          {says !== null && (
            <p className="line-clamp-6 whitespace-pre-wrap wrap-anywhere text-ink-2">
              <OwnLinks text={says} />
            </p>
          )}
        </div>
        {aside}
      </header>
      <section
        ref={body}
        aria-label={`${title}, content`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-5.5 -outline-offset-2 pane:px-6"
      >
        {children}
      </section>
      {footer && (
        <footer
          data-footer=""
          className="shrink-0 border-line border-t bg-panel px-4 py-3.5 pane:pr-4 pane:pl-6 max-pane:[&_button]:h-11 max-pane:[&_button]:w-full max-pane:[&_button]:flex-1 max-pane:[&_div:has(>button)]:flex-1"
        >
          {footer}
        </footer>
      )}
    </div>
  );
}

/**
 * Returns a surface's width in pixels. Forms with a table and tables with many columns need the most room. A table
 * alone is narrow, because rows are easier to read when columns are close together.
 */
function widthOf({ components }: Surface): number {
  const all = [...components.values()];
  const columns = all.map((one) => (one.component === 'Table' ? one.columns.length : 0));
  const most = Math.max(0, ...columns);
  if (most >= 5) return 940;
  if (all.some(({ component }) => component === 'Chart')) return 860;
  if (most === 0) return 660;
  return all.some(isInput) ? 836 : 682;
}

interface SurfaceCardProps {
  given: Surface;
  title: string;
  says?: string | null;
  aside?: ReactNode;
  /** Whether it is shown again, and cannot be acted on. */
  isPast?: boolean;
  /** Replaces the buttons. */
  instead?: ReactNode;
  /** Shown below the surface. */
  below?: ReactNode;
}

/** Shows a surface of the conversation. */
export function SurfaceCard({ given, title, says = null, aside, isPast = false, instead, below }: SurfaceCardProps) {
  const { projectId } = useProject();
  const { surface, setData } = useKeptSurface(given);
  const acting = useMutation({
    mutationFn: (pressed: PressedAction) => {
      noteAct(projectId);
      return carryOut(projectId, { kind: 'action', surfaceId: surface.surfaceId, pressed });
    },
  });
  const { body, footer } = useMemo(() => partsOf(surface), [surface]);
  const form = useSurfaceForm(surface);
  const progress = progressOf(surface);
  // The answered form stays as it is until the next surface replaces it.
  const common = { form, busy: isPast || acting.isPending || acting.isSuccess, onData: setData, onAction: acting.mutate };
  const buttons = footer !== null && !isPast ? <SurfaceView surface={footer} {...common} isFooter /> : null;
  return (
    <Card
      title={title}
      says={says}
      aside={aside}
      width={progress === null ? widthOf(surface) : 836}
      focus={isPast ? 'none' : 'field'}
      footer={instead ?? buttons}
    >
      {progress !== null && <VideosProgress label={title} progress={progress} className="mb-4" />}
      {body !== null && <SurfaceView surface={body} {...common} />}
      {below}
      {acting.isError && <ErrorNotice error={acting.error} onDismiss={() => acting.reset()} className="mt-3" />}
    </Card>
  );
}
