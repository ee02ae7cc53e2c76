import { ListTree, Pencil } from 'lucide-react';
import { useState } from 'react';
import { formatSeconds } from '#contract/display.ts';
import type { Plan, TodoStatus } from '#contract/project.ts';
import type { FilmOutline, FilmScene, Scene, Style } from '#kinds/film/contract/film.ts';
import { filmOf, filmOutlineOf } from '#kinds/film/contract/outline.ts';
import { useProject, useView } from '../../../project/context.ts';
import { Button, cx, Empty, Spinner } from '../../../ui/elements.tsx';
import { sceneColour } from '../../../ui/graphics.tsx';
import { useSceneEditors } from '../editor/actions.ts';
import { useEditor, useEditorState } from '../editor/document-store.ts';
import { useFormats } from '../editor/formats.tsx';
import { Thumbnail } from '../editor/thumbnail.tsx';
import { FrameIcon } from '../frame-icon.tsx';
import { NotShown } from './not-shown.tsx';
import { SceneStatus, sceneStatuses, TimeRuler } from './time-ruler.tsx';

const placeholderScenes = [2, 3.5, 2.5];

export default function Storyboard() {
  const plan = useView((view) => view.plan);
  const running = useView((view) => view.project.running);
  const outline = plan && filmOutlineOf(plan);
  if (plan && outline) return <Board plan={plan} outline={outline} />;
  return (
    <div className="mx-auto flex h-full max-w-270 flex-col justify-center px-4 sm:px-8">
      <div aria-hidden="true" className={cx('flex gap-1', running && 'animate-breathe')}>
        {placeholderScenes.map((share) => (
          <span key={share} className="h-11 rounded-md border border-line-strong border-dashed" style={{ flexGrow: share }} />
        ))}
      </div>
      <div className="max-h-60">
        {running ? (
          <Empty icon={<Spinner />} title="Planning the scenes…" text="The scenes appear here on a timeline." />
        ) : (
          <Empty icon={<ListTree />} title="No plan yet" text="The scenes appear here on a timeline." />
        )}
      </div>
    </div>
  );
}

/** Opens the editor, at a scene or where it was. */
function useOpenEditor(): (scene?: Scene) => void {
  const { workbench } = useProject();
  const editor = useEditor();
  return (scene) => {
    if (scene?.id !== undefined) editor.select(scene.id);
    workbench.setState({
      chosenTab: 'preview',
      pane: 'panes',
      ...(scene && { seekRequest: { seconds: scene.startSeconds } }),
    });
  };
}

/** Shows the plan with its scenes' progress. A click on a scene shows it in the editor. */
function Board({ plan, outline }: { plan: Plan; outline: FilmOutline }) {
  const waits = useView(({ approval }) => approval?.type === 'plan' && approval.planId === plan.id);
  const hasPreview = useView((view) => view.project.previewUrl !== null);
  const todos = useView((view) => view.todos);
  const openEditor = useOpenEditor();
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const statuses = sceneStatuses(plan.accepted ? todos : []);
  const film = filmOf(plan);
  const pick = waits || (plan.accepted && hasPreview) ? openEditor : null;
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-270 px-4 py-6 sm:px-8">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="wrap-anywhere min-w-0 font-semibold text-xl tracking-tight">{outline.title}</h2>
          <PlanState plan={plan} />
          {waits && (
            <Button icon={Pencil} className="ml-auto" onClick={() => openEditor()}>
              Edit
            </Button>
          )}
        </div>
        <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-ink-2">
          <li className="tabular-nums">{formatSeconds(outline.durationSeconds)}</li>
          <li className="flex items-center gap-1.5">
            <FrameIcon aspect={outline.aspect} />
            {outline.aspect}
          </li>
          <li>{`${outline.fps} fps`}</li>
          <li>{styleNames[outline.style]}</li>
        </ul>
        {plan.caveat && <p className="mt-4 rounded-lg bg-warn-soft px-3.5 py-2.5 text-[13px] text-warn">{plan.caveat}</p>}
        {waits && <UnshownParts texts={plan.notShown ?? []} />}
        <div className="mt-6">
          <TimeRuler
            scenes={outline.scenes}
            durationSeconds={outline.durationSeconds}
            size="large"
            highlighted={highlighted}
            onHighlight={setHighlighted}
            onPick={pick}
            statuses={statuses}
          />
        </div>
        <ol className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,270px),1fr))] gap-4">
          {outline.scenes.map((scene, index) => (
            <li
              key={scene.id ?? scene.number}
              onMouseEnter={() => setHighlighted(scene.number)}
              onMouseLeave={() => setHighlighted(null)}
              className={cx(
                'overflow-hidden rounded-xl border bg-panel transition-colors',
                highlighted === scene.number ? 'border-ink-3' : 'border-line',
              )}
            >
              <SceneCard scene={scene} shown={film?.scenes[index] ?? null} status={statuses.get(scene.number) ?? null} />
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

const styleNames: Record<Style, string> = { playful: 'Playful', smooth: 'Smooth', cinematic: 'Cinematic' };

const planStates = {
  accepted: { label: 'Accepted', tone: 'bg-ok-soft text-ok' },
  edited: { label: 'Edited by you', tone: 'bg-accent-soft text-accent-text' },
  proposed: { label: 'Proposed', tone: 'bg-warn-soft text-warn' },
} as const;

function PlanState({ plan: { accepted, edited, revision } }: { plan: Plan }) {
  const open = edited ? planStates.edited : planStates.proposed;
  const { label, tone } = accepted ? planStates.accepted : open;
  return (
    <>
      <p className={cx('rounded-full px-2 py-0.5 text-xs', tone)}>{label}</p>
      {revision > 1 && <p className="text-ink-3 text-xs">{`Version ${revision}`}</p>}
    </>
  );
}

/** Parts of the request that no scene shows. Each can be shown in a scene of its own, at the end. */
function UnshownParts({ texts }: { texts: readonly string[] }) {
  const scenes = useEditorState(({ film }) => film?.film.scenes ?? noScenes);
  const { addInWords } = useSceneEditors();
  const quote = (text: string) => `“${text.replaceAll(/[“”]/gu, '"')}”`;
  // The plan without the text arrives once the scene is stored.
  const added = scenes.flatMap((scene) => ('code' in scene ? [scene.description] : []));
  return (
    <NotShown
      texts={texts.filter((text) => !added.includes(quote(text)))}
      disabled={scenes.length === 0}
      onShow={(text) => addInWords(quote(text), scenes.at(-1)?.id ?? null)}
    />
  );
}

const noScenes: readonly FilmScene[] = [];

/** `shown`: the scene in the film's document. */
function SceneCard({ scene, shown, status }: { scene: Scene; shown: FilmScene | null; status: TodoStatus | null }) {
  const film = useEditorState((state) => state.film?.stored.film ?? null);
  const formats = useFormats();
  const isCode = shown === null || 'code' in shown;
  const format = isCode ? null : formats.find(({ id }) => id === shown.format);
  return (
    <>
      {film !== null && shown !== null && (
        <div className="aspect-video overflow-hidden">
          <Thumbnail scene={shown} film={film} formats={formats} theme={null} />
        </div>
      )}
      <div className="flex items-center gap-2 px-4 py-2 text-xs" style={{ backgroundColor: sceneColour(scene.number) }}>
        <span className="font-medium">{`Scene ${scene.number}`}</span>
        {status ? <SceneStatus status={status} withText /> : <span className="truncate text-ink-2">{format?.title}</span>}
        <span className="ml-auto shrink-0 tabular-nums">
          {`${formatSeconds(scene.startSeconds)} – ${formatSeconds(scene.startSeconds + scene.durationSeconds)}`}
        </span>
      </div>
      <div className="px-4 pt-3 pb-4">
        <h3 className="wrap-anywhere font-medium">{scene.title}</h3>
        <p className="mt-1 wrap-anywhere text-[13px] text-ink-2 leading-5">{scene.description}</p>
        {isCode && (
          <div className="mt-3 border-line border-t pt-2.5">
            <p className="font-medium text-[13px] leading-5">Motion</p>
            <p className="wrap-anywhere text-[13px] text-ink-2 leading-5">{scene.animationNotes}</p>
          </div>
        )}
      </div>
    </>
  );
}
