import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Surface } from '#contract/surface/surface.ts';
import { carryOut } from '../../conversation/orders.ts';
import { useProject } from '../../project/context.ts';
import type { PressedAction } from '../../surface/surface-context.ts';
import { SurfaceView } from '../../surface/surface-view.tsx';
import { cx, ErrorNotice, ProgressBar } from '../../ui/elements.tsx';
import { useKeptSurface } from './kept-surface.ts';
import { progressOf } from './steps.ts';
import { partsOf } from './surface-parts.ts';

interface CardProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  icon?: ReactNode;
  tone?: 'plain' | 'warn' | 'bad';
  footer?: ReactNode;
  width?: number;
  /** Whether the card shows what was, so that it does not take the focus. */
  isPast?: boolean;
  children: ReactNode;
}

/** One card is shown at a time. Its heading names the page's main part. */
export const cardTitleId = 'card-title';

const tones = { plain: '', warn: 'bg-warn-soft', bad: 'bg-bad-soft' };

/** Card on the stage: its header and footer stay, and its body scrolls. Its heading takes the focus when it appears. */
export function Card({ title, aside, icon, tone = 'plain', footer, width = 660, isPast = false, children }: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const focused = document.activeElement;
    const isTyping = focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement;
    if (!isPast && !isTyping && document.querySelector('[role="dialog"]') === null)
      heading.current?.focus({ preventScroll: true });
  }, [isPast]);
  return (
    <div
      data-surface=""
      style={{ maxWidth: width }}
      className="flex max-h-full min-h-0 w-full animate-rise flex-col overflow-hidden bg-ground pane:rounded-2xl pane:bg-panel pane:shadow-lift max-pane:flex-1"
    >
      <header className={cx('flex items-start gap-3.5 px-4 pt-5 pb-3 pane:px-6', tones[tone], tone !== 'plain' && 'pb-4.5')}>
        {icon}
        <h2
          id={cardTitleId}
          ref={heading}
          tabIndex={-1}
          className="min-w-0 flex-1 wrap-anywhere font-semibold text-xl leading-7 tracking-[-0.017em] outline-none max-pane:text-[22px]"
        >
          {title}
        </h2>
        {aside}
      </header>
      <section
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
          className="shrink-0 border-line border-t bg-panel px-4 py-3.5 pane:pr-4 pane:pl-6 max-pane:[&_button]:h-11 max-pane:[&_button]:flex-1"
        >
          {footer}
        </footer>
      )}
    </div>
  );
}

const wide = 836;

interface SurfaceCardProps {
  given: Surface;
  title: string;
  aside?: ReactNode;
  /** Whether it is shown again, and cannot be acted on. */
  isPast?: boolean;
  /** Replaces the buttons. */
  instead?: ReactNode;
}

/** Shows a surface of the conversation. */
export function SurfaceCard({ given, title, aside, isPast = false, instead }: SurfaceCardProps) {
  const { projectId } = useProject();
  const { surface, setData } = useKeptSurface(given);
  const acting = useMutation({
    mutationFn: (pressed: PressedAction) => carryOut(projectId, { kind: 'action', surfaceId: surface.surfaceId, pressed }),
  });
  const { body, footer } = useMemo(() => partsOf(surface), [surface]);
  const progress = progressOf(surface);
  const isWide = [...surface.components.values()].some(({ component }) => component === 'Table');
  // The answered form stays as it is until the next surface replaces it.
  const common = { busy: isPast || acting.isPending || acting.isSuccess, onData: setData, onAction: acting.mutate };
  const buttons = footer !== null && !isPast ? <SurfaceView surface={footer} {...common} /> : null;
  return (
    <Card title={title} aside={aside} width={isWide ? wide : 660} isPast={isPast} footer={instead ?? buttons}>
      {progress !== null && (
        <ProgressBar
          label={title}
          percent={(100 * (progress.done + progress.failed)) / progress.total}
          valueText={`${progress.done} of ${progress.total} done`}
          className="mb-4 h-1.5 rounded-full"
        />
      )}
      {body !== null && <SurfaceView surface={body} {...common} />}
      {acting.isError && <ErrorNotice error={acting.error} onDismiss={() => acting.reset()} className="mt-3" />}
    </Card>
  );
}
