import { Check } from 'lucide-react';
import type { Phase } from '../../../server/contract/project.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { useView } from './context.ts';
import { standingOf } from './standing.ts';

const steps = ['idle', 'plan', 'executing', 'preview', 'complete'] as const satisfies readonly Phase[];

/** Where the project stands, from the idea to the finished film. */
export function PhaseSteps() {
  const phase = useView((view) => view.project.phase);
  const stopped = useView((view) => standingOf(view.project) === 'stopped');
  const hasPlan = useView((view) => view.plan?.accepted ?? false);
  // A question belongs to the idea; what was stopped was stopped while it was planned or built.
  const current = phase === 'question' ? 0 : phase === 'error' ? (hasPlan ? 2 : 1) : steps.indexOf(phase);
  return (
    <ol aria-label={texts.phaseLabel} className="flex items-center gap-1 text-[13px]">
      {steps.map((step, index) => {
        const isCurrent = index === current;
        const done = index < current || phase === 'complete';
        const failed = isCurrent && phase === 'error' && !stopped;
        const rests = isCurrent && phase === 'error' && stopped;
        const label = isCurrent && (phase === 'question' || phase === 'error') ? texts.phases[phase] : texts.phases[step];
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
              {done && <Check aria-hidden="true" className="size-3.5" />}
              {label}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
