import { useMutation } from '@tanstack/react-query';
import { Check, ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import type { Phase, SandboxState } from '#contract/project.ts';
import { api } from '../api/client.ts';
import { useKindPage } from '../kind-page.ts';
import { useProject, useView } from '../project/context.ts';
import { NameField } from '../project/name-field.tsx';
import { projectStatus } from '../project/project-status.ts';
import { AppButtons } from '../shortcuts/app-buttons.tsx';
import { cx, Link } from '../ui/elements.tsx';
import { Logo } from '../ui/graphics.tsx';

const phaseNames: Record<Phase, string> = {
  idle: 'Idea',
  question: 'Question',
  plan: 'Plan',
  executing: 'Build',
  preview: 'Preview',
  complete: 'Done',
  conversation: 'Conversation',
  error: 'Stopped',
};

/** Shows the project's progress, from the idea to the finished work. A conversation has none. */
function PhaseSteps() {
  const phase = useView((view) => view.project.phase);
  const { steps, stepNames } = useKindPage();
  const names = { ...phaseNames, ...stepNames };
  const stopped = useView((view) => projectStatus(view.project) === 'stopped');
  const hasPlan = useView((view) => view.plan?.accepted ?? false);
  // A question belongs to the idea, an error to the plan or the build.
  const shownPhases: Partial<Record<Phase, Phase>> = { question: 'idle', error: hasPlan ? 'executing' : 'plan' };
  const current = steps.findIndex((step) => step === (shownPhases[phase] ?? phase));
  if (steps.length === 0) return <span />;
  return (
    <ol aria-label="Project progress" className="flex items-center gap-1 text-[13px]">
      {steps.map((step, index) => {
        const isCurrent = index === current;
        const done = index < current || phase === 'complete';
        const failed = isCurrent && phase === 'error' && !stopped;
        const rests = isCurrent && phase === 'error' && stopped;
        const label = names[isCurrent && (phase === 'question' || phase === 'error') ? phase : step];
        return (
          <li
            key={step}
            aria-current={isCurrent ? 'step' : undefined}
            className={cx('items-center gap-1', isCurrent ? 'flex' : 'hidden lg:flex')}
          >
            {index > 0 && <span aria-hidden="true" className="mx-0.5 hidden h-px w-4 bg-line-strong lg:block xl:w-6" />}
            <span
              className={cx(
                'flex h-7 items-center gap-1.5 rounded-full px-2.5',
                failed && 'bg-bad-soft font-medium text-bad',
                rests && 'bg-sunken font-medium text-ink-2',
                isCurrent && !failed && !rests && phase !== 'complete' && 'bg-accent-soft font-medium text-accent-text',
                isCurrent && phase === 'complete' && 'bg-ok-soft font-medium text-ok',
                !isCurrent && (done ? 'text-ink-2' : 'text-ink-3'),
              )}
            >
              {done && <Check className="size-3.5" />}
              {label}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

export function TopBar() {
  const sandbox = useView((view) => view.project.sandbox);
  const { tabs } = useKindPage();
  return (
    <header className="grid h-13 shrink-0 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-3 border-line border-b bg-panel px-3 sm:px-4 lg:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
      <ProjectTitle backTo="/" label="All projects" />
      <PhaseSteps />
      <div className="flex items-center justify-end gap-2">
        {tabs.length > 0 && <SandboxDot state={sandbox} />}
        <AppButtons />
      </div>
    </header>
  );
}

/** Name of the project, after a link to the page that lists it. */
export function ProjectTitle({ backTo, label }: { backTo: string; label: string }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Link
        href={backTo}
        aria-label={label}
        title={label}
        className="flex items-center gap-1 rounded-lg text-ink-3 hover:text-ink"
      >
        <ChevronLeft className="size-4" />
        <Logo className="size-6" />
      </Link>
      <h1 className="min-w-0">
        <ProjectName />
      </h1>
    </div>
  );
}

/** Name of the project, which a click makes a field. */
export function ProjectName() {
  const { projectId } = useProject();
  const name = useView((view) => view.project.name);
  const [renaming, setRenaming] = useState(false);
  const rename = useMutation({ mutationFn: (next: string) => api.renameProject(projectId, next) });
  if (!renaming) {
    return (
      <button
        type="button"
        title="Rename project"
        onClick={() => setRenaming(true)}
        className="block max-w-full truncate rounded-md px-1.5 py-1 font-medium hover:bg-sunken"
      >
        {rename.isPending ? rename.variables : name}
      </button>
    );
  }
  return (
    <NameField
      name={name}
      label="Rename project"
      className="min-w-0 max-w-72 flex-1"
      onDone={(next) => {
        setRenaming(false);
        if (next !== null) rename.mutate(next);
      }}
    />
  );
}

const sandboxTones: Record<SandboxState, string> = {
  created: 'bg-line-strong',
  ready: 'bg-ok',
  busy: 'bg-accent animate-breathe',
  stopped: 'bg-line-strong',
};

const sandboxText: Record<SandboxState, string> = {
  created: 'Sandbox suspended',
  ready: 'Sandbox ready',
  busy: 'Sandbox working',
  stopped: 'Sandbox suspended',
};

function SandboxDot({ state }: { state: SandboxState }) {
  return (
    <p className="flex items-center justify-end gap-2 whitespace-nowrap text-ink-2 text-xs">
      <span aria-hidden="true" className={cx('size-2 rounded-full', sandboxTones[state])} />
      <span className="hidden lg:inline">{sandboxText[state]}</span>
    </p>
  );
}
