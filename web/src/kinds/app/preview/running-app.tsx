import { AppWindow } from 'lucide-react';
import type { ReactNode } from 'react';
import { sandboxWait } from '#contract/project.ts';
import { waitingText } from '../../../preview/page-frame.tsx';
import { previewObstacle } from '../../../preview/preview-obstacle.ts';
import { PreviewProblem, useControlPreview } from '../../../preview/preview-problem.tsx';
import { useProject, useShownTab, useView } from '../../../project/context.ts';
import { Button, Empty, ErrorNotice, Spinner } from '../../../ui/elements.tsx';

/** Shows what needs the running app, or why it does not run. `children` takes the preview's address. */
export function RunningApp({ children }: { children: (url: string) => ReactNode }) {
  const url = useView((view) => view.project.previewUrl);
  const running = useView((view) => view.project.running);
  const waiting = useView((view) => sandboxWait(view.project));
  // The sandbox runs the template's own app until the files are written.
  const isWritten = useView(({ todos }) => todos.every(({ key, status }) => key !== 'write' || status === 'done'));
  const obstacle = url === null ? null : previewObstacle(url, window.location);
  if (obstacle !== null) return <Empty icon={<AppWindow />} {...obstacle} />;
  if (running && !isWritten)
    return <Empty icon={<Spinner />} title="Building the app…" text="It appears here as soon as it is written." />;
  if (url !== null) return children(url);
  if (waiting !== null) return <Empty icon={<Spinner />} title={waiting} text={waitingText} />;
  if (running) return <Empty icon={<Spinner />} title="Starting the app…" text="It starts once there is something to show." />;
  return <NotRunning />;
}

function NotRunning() {
  const error = useView((view) => view.project.previewError);
  const isBuilt = useView(({ project }) => ['preview', 'complete', 'error'].includes(project.phase));
  const isPlanned = useView(({ approval }) => approval?.type === 'plan');
  const shownTab = useShownTab();
  const { workbench } = useProject();
  const control = useControlPreview();
  if (isPlanned && shownTab === 'preview')
    return (
      <Empty
        icon={<AppWindow />}
        title="The plan is ready"
        text="You can look at its lists, pages and views before you accept it."
      >
        <Button size="sm" onClick={() => workbench.setState({ chosenTab: 'structure' })}>
          Show the structure
        </Button>
      </Empty>
    );
  return (
    <div className="relative size-full">
      <Empty icon={<AppWindow />} title="The app is not running" text={isBuilt ? '' : 'It starts once Koda has built it.'}>
        {isBuilt && error === null && (
          <Button size="sm" pending={control.isPending && 'Starting…'} onClick={() => control.mutate('restart')}>
            Start
          </Button>
        )}
        {control.error && <ErrorNotice error={control.error} />}
      </Empty>
      {error && <PreviewProblem error={error} />}
    </div>
  );
}
