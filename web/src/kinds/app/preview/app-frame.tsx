import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { sandboxWait } from '#contract/project.ts';
import { PageFrame, PageStatus, usePageFrame } from '../../../preview/page-frame.tsx';
import { PreviewProblem } from '../../../preview/preview-problem.tsx';
import { useView } from '../../../project/context.ts';
import { useAsleep } from '../../../project/use-asleep.ts';
import type { AppPage } from './app-page.ts';
import { fitViewport, type ViewportId } from './viewport.ts';

/** Loads and restarts the app's page. */
export function useAppFrame(page: AppPage, ref: RefObject<HTMLIFrameElement | null>, url: string) {
  const version = useView((view) => view.previewVersion);
  const codeVersion = useView((view) => view.codeVersion);
  const asleep = useAsleep();
  return usePageFrame(page, ref, { address: url, version, codeVersion, asleep });
}

interface AppFrameProps {
  page: AppPage;
  control: ReturnType<typeof useAppFrame>;
  ref: RefObject<HTMLIFrameElement | null>;
  title: string;
  /** `null` fills the area. */
  viewport: ViewportId | null;
}

/** The running app, in a true width that is scaled to fit. */
export function AppFrame({ page, control, ref, title, viewport }: AppFrameProps) {
  const area = useRef<HTMLDivElement>(null);
  const size = useSize(area);
  const previewError = useView((view) => view.project.previewError);
  const waiting = useView((view) => sandboxWait(view.project));
  const { frame, generation } = control;
  // A new frame starts where the last one was. Where the page goes later must not load it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation is a new frame.
  const address = useMemo(() => page.currentAddress, [page, generation, frame]);
  const fitted = viewport === null ? null : fitViewport(viewport, size);
  return (
    <div ref={area} className="relative min-h-0 flex-1 overflow-hidden">
      <div
        className={
          fitted === null
            ? 'absolute inset-0 bg-panel'
            : 'absolute top-0 left-1/2 origin-top -translate-x-1/2 overflow-hidden rounded-t-xl bg-panel shadow-lift outline outline-line-strong'
        }
        style={
          fitted === null
            ? undefined
            : { width: fitted.width, height: fitted.height, scale: String(fitted.scale), translate: '-50%' }
        }
      >
        {frame === 'shown' && (
          <PageFrame
            key={generation}
            ref={ref}
            address={address}
            title={title}
            sandbox="allow-scripts allow-same-origin allow-forms allow-downloads"
          />
        )}
      </div>
      {fitted !== null && fitted.scale < 1 && (
        <p className="absolute top-1 right-1 rounded-md bg-backdrop px-1 font-medium text-ink-2 text-xs tabular-nums leading-5">
          <span className="sr-only">Shown at </span>
          {`${Math.round(fitted.scale * 100)} %`}
        </p>
      )}
      <PageStatus page={page} frame={frame} waiting={waiting} onReload={control.reload} onStop={control.stop} />
      {previewError && <PreviewProblem error={previewError} />}
    </div>
  );
}

function useSize(element: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const observer = new ResizeObserver(() => setSize({ width: measured.clientWidth, height: measured.clientHeight }));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
