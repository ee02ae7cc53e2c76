import { useEffect } from 'react';
import { type Render, renderFiles } from '../../../server/contract/render.ts';
import { useProject } from '../project/context.ts';
import { finishedSince, newestComplete } from '../project/renders.ts';
import { toast } from '../ui/toasts.tsx';
import { notify } from './notify.tsx';
import { renderLabel } from './render-label.ts';
import { takeAwaited } from './save-frame.tsx';

/** Long enough to be seen by who looks elsewhere. */
const shownMs = 12_000;

/** Saves a file of the studio, as a click on its link would. */
function save(url: string): void {
  const link = document.createElement('a');
  link.href = `${url}?download`;
  link.download = '';
  link.click();
}

/** Tells when a render is finished or failed, wherever in the project one is. Shows nothing by itself. */
export function FinishNotice() {
  const { handle, workbench } = useProject();
  useEffect(() => {
    const show = (render: Render) => {
      const view = handle.store.getState().view;
      if (!view) return;
      const newestId = newestComplete(view.renders)?.id ?? null;
      workbench.setState({
        chosenTab: 'video',
        pane: 'watch',
        ...(render.status === 'complete' ? { playing: { renderId: render.id, newestId } } : {}),
      });
    };
    const tell = (render: Render) => {
      const label = renderLabel(render);
      const isComplete = render.status === 'complete';
      const text = isComplete ? `${label} is finished.` : `${label} failed.`;
      const { videoUrl, thumbnailUrl, settings } = render;
      const { still } = renderFiles[settings.format];
      if (takeAwaited(render.id) && videoUrl) save(videoUrl);
      toast(text, {
        durationMs: shownMs,
        action: { label: isComplete && !still ? 'Play' : 'Show', run: () => show(render) },
        otherAction: videoUrl ? { label: 'Download', run: () => save(videoUrl) } : null,
      });
      const name = handle.store.getState().view?.project.name ?? 'Koda';
      notify(text, { title: name, icon: thumbnailUrl, tag: render.id, onClick: () => show(render) });
    };
    return handle.store.subscribe((state, before) => {
      if (state.view === before.view || !state.view || !before.view) return;
      for (const render of finishedSince(before.view.renders, state.view.renders)) tell(render);
    });
  }, [handle, workbench]);
  return null;
}
