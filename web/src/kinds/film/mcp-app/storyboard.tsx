import { Check } from 'lucide-react';
import { useStore } from 'zustand';
import { formatSeconds } from '#contract/display.ts';
import type { State } from '#contract/mcp-results.ts';
import { Button, ProgressBar } from '../../../ui/elements.tsx';
import { sceneColour } from '../../../ui/graphics.tsx';
import { NotShown } from '../storyboard/not-shown.tsx';
import { ChangeBox } from './change-box.tsx';
import { isActive, type Scene, scenesOf } from './film-state.ts';
import type { FilmStore } from './film-store.ts';
import { FrameView } from './frame-view.tsx';

/** The plan, scene by scene. While it waits, the user accepts or changes it here. */
export function Storyboard({ store, project }: { store: FilmStore; project: State }) {
  const pending = useStore(store.state, (state) => state.pending);
  const scenes = scenesOf(project);
  const { plan } = project;
  if (plan === null) return null;
  return (
    <section aria-label="Storyboard">
      {project.waiting_for === 'plan' && plan.caveat && (
        <p className="wrap-anywhere rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">{plan.caveat}</p>
      )}
      {project.waiting_for === 'plan' && (
        <NotShown
          texts={plan.not_shown}
          disabled={pending !== null}
          onShow={(text) => void store.change(`Add a scene that says “${text.replaceAll(/[“”]/gu, '"')}”`)}
        />
      )}
      {isActive(project) && plan.accepted && <Progress todos={project.todos} />}
      <ol className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,220px),1fr))] gap-3">
        {scenes.map((scene) => (
          <SceneCard key={scene.id} store={store} scene={scene} />
        ))}
      </ol>
      {project.waiting_for === 'plan' && (
        <ChangeBox store={store} label="What should be different?" example="Make it shorter, and use a dark theme">
          <Button
            variant="primary"
            icon={Check}
            disabled={pending !== null}
            pending={pending === 'accept' && 'Accepting…'}
            onClick={() => void store.accept()}
          >
            Accept plan
          </Button>
        </ChangeBox>
      )}
    </section>
  );
}

function SceneCard({ store, scene }: { store: FilmStore; scene: Scene }) {
  const { number, title, description, startSeconds, durationSeconds, holdSeconds } = scene;
  return (
    <li className="flex max-w-120 flex-col overflow-hidden rounded-xl border border-line bg-panel">
      <FrameView store={store} scene={scene} seconds={holdSeconds} alt={`Scene ${number}: ${title}`} />
      <div className="flex items-center gap-2 px-3 py-1.5 text-xs" style={{ backgroundColor: sceneColour(number) }}>
        <span className="font-medium text-[#1f1c19] in-data-[theme=dark]:text-[#f2efeb]">{`Scene ${number}`}</span>
        <span className="ml-auto text-[#1f1c19] tabular-nums in-data-[theme=dark]:text-[#f2efeb]">
          {`${formatSeconds(startSeconds)} – ${formatSeconds(startSeconds + durationSeconds)}`}
        </span>
      </div>
      <div className="px-3 pt-2 pb-3">
        <h2 className="wrap-anywhere font-medium">{title}</h2>
        <p className="wrap-anywhere mt-0.5 line-clamp-4 text-[13px] text-ink-2 leading-5">{description}</p>
      </div>
    </li>
  );
}

function Progress({ todos }: { todos: State['todos'] }) {
  const done = todos.filter(({ status }) => status === 'done').length;
  const current = todos.find(({ status }) => status !== 'done');
  return (
    <div className="mt-4 rounded-lg bg-sunken px-3 py-2.5">
      <p className="flex flex-wrap justify-between gap-x-3 text-[13px]">
        <span>{current?.title ?? 'Finishing…'}</span>
        <span className="text-ink-2 tabular-nums">{`${done} of ${todos.length} steps`}</span>
      </p>
      <ProgressBar
        label="Making the film"
        percent={todos.length === 0 ? 0 : (done / todos.length) * 100}
        valueText={`${done} of ${todos.length} steps`}
        className="mt-2 h-1.5 rounded-full"
      />
    </div>
  );
}
