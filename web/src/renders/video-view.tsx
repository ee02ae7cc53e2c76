import { Film } from 'lucide-react';
import type { Render } from '../../../server/contract/render.ts';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { FilmPlayer } from './film-player.tsx';
import { previewAtWork } from './live-watch.ts';
import { RenderList } from './render-list.tsx';
import { byNewest, isAtWork, newestComplete } from './render-order.ts';

const noRenders: readonly Render[] = [];

/** The film in a player, and every render of it below. */
export function VideoView() {
  const { workbench } = useProject();
  const renders = useView((view) => view.renders);
  const canRender = useView((view) => view.project.phase === 'complete' || view.project.phase === 'preview');
  const playing = useWorkbench((state) => state.playing);
  const sorted = byNewest(renders);
  const newest = newestComplete(renders);
  const chosen = playing?.newestId === newest?.id ? renders.find((render) => render.id === playing?.renderId) : undefined;
  const shown = chosen?.status === 'complete' ? chosen : newest;
  const atWork = renders.some(isAtWork);
  const making = previewAtWork(renders) !== null;
  // Who looks at another video is not disturbed by a preview that is being made.
  const isElsewhere = shown !== newest;

  if (sorted.length === 0) return <Empty icon={<Film />} title={texts.stage.noVideoTitle} text={texts.stage.noVideoText} />;
  return (
    <div className="flex h-full flex-col">
      <div className="flex min-h-0 flex-1 items-center justify-center bg-stage p-3 sm:p-6">
        {shown || making ? (
          <FilmPlayer shown={shown} renders={isElsewhere ? noRenders : renders} />
        ) : (
          <div className="flex items-center gap-2 text-[13px] text-ink-2">
            {atWork && <Spinner />}
            {atWork ? texts.renders.stages.capturing : texts.stage.noVideoTitle}
          </div>
        )}
      </div>
      <section
        aria-label={texts.renders.title}
        className="flex max-h-[40%] min-h-32 shrink-0 flex-col border-line border-t bg-panel"
      >
        <div className="flex h-12 shrink-0 items-center justify-between px-4">
          <h2 className="font-medium">{texts.renders.title}</h2>
          {canRender && (
            <Button size="sm" onClick={() => workbench.setState({ renderDialog: true })}>
              {texts.renders.new}
            </Button>
          )}
        </div>
        <RenderList
          renders={sorted}
          shown={shown?.id ?? null}
          onPlay={(renderId) => workbench.setState({ playing: { renderId, newestId: newest?.id ?? null } })}
        />
      </section>
    </div>
  );
}
