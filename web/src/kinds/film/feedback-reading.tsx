import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { maxPromptCharacters } from '#contract/project.ts';
import type { FeedbackReading } from '#kinds/film/contract/reading.ts';
import type { TextMark } from '../../kind-page.ts';
import { useProject, useView } from '../../project/context.ts';
import type { ProjectView } from '../../project/reducer.ts';
import { cx } from '../../ui/elements.tsx';
import { useSettled } from '../../ui/hooks.ts';
import { filmApi } from './film-document.ts';
import { followSpans } from './home/composer/marks.ts';

/** Pause in typing after which a message is read. */
const pauseMs = 150;
/** Time without a new reading after which it is spoken. */
const quietMs = 1000;
/** More changes than these would hide the conversation. */
const maxShown = 6;

/** Returns whether the next message changes the film as it is now. */
const isFeedback = ({ approval, project, plan }: Pick<ProjectView, 'approval' | 'project' | 'plan'>): boolean => {
  if (plan === null) return false;
  if (approval === null) return project.phase === 'complete' && !project.running;
  return approval.type === 'plan' || approval.type === 'preview';
};

export interface ReadFeedback {
  readonly marks: readonly TextMark[];
  readonly reading: FeedbackReading;
  /** The message of the reading. */
  readonly of: string;
  readonly isCurrent: boolean;
}

/**
 * Reads a message after each pause in typing. `prefix` is what is sent before it. Returns `null` while nothing is known, and if
 * the message is no feedback or a language model answers it.
 */
export function useFeedbackReading(text: string, prefix: string): ReadFeedback | null {
  const { projectId } = useProject();
  const isRead = useView(isFeedback);
  // The same words change another film in another way.
  const film = useView(({ plan, assets }) => `${plan?.id} ${plan?.revision} ${assets.length}`);
  const message = useSettled(text, pauseMs);
  const sent = `${prefix}${message}`;
  const isTooLong = sent.length > maxPromptCharacters;
  // An empty message is read too, which says in advance whether a language model answers.
  const { data } = useQuery({
    queryKey: ['feedback', projectId, film, sent],
    queryFn: async ({ signal }) => ({ of: message, prefix, reading: await filmApi.readFeedback(projectId, sent, signal) }),
    placeholderData: keepPreviousData,
    enabled: isRead && !isTooLong,
    retry: false,
  });
  if (!isRead || isTooLong || data === undefined || data.reading.changes === null || text.trim() === '') return null;
  const spans = data.reading.spans.flatMap(({ start, end, state }) => {
    const from = Math.max(0, start - data.prefix.length);
    return end <= data.prefix.length ? [] : [{ start: from, end: end - data.prefix.length, isFollowed: state === 'instruction' }];
  });
  return {
    marks: followSpans(spans, data.of, text),
    reading: data.reading,
    of: `${data.prefix}${data.of}`,
    isCurrent: data.of === text && data.prefix === prefix,
  };
}

interface Line {
  readonly text: string;
  readonly isWarning: boolean;
}

function linesOf({ reading, of }: ReadFeedback, isPlan: boolean): Line[] {
  const changes = [...new Set(reading.changes)].map((text) => ({ text, isWarning: false }));
  const shown = changes.slice(0, maxShown);
  if (changes.length > maxShown) shown.push({ text: `and ${changes.length - maxShown} more`, isWarning: false });
  if (reading.render !== null && isPlan)
    shown.push({ text: 'The video can be rendered once you have accepted the plan', isWarning: true });
  else if (reading.render !== null) shown.push({ text: `Renders the video ${reading.render}`, isWarning: false });
  const refused = reading.spans.flatMap(({ start, end, state, note }) =>
    state === 'instruction' ? [] : [note ?? `Not understood: “${of.slice(start, end)}”`],
  );
  return [...shown, ...[...new Set(refused)].slice(0, maxShown).map((text) => ({ text, isWarning: true }))];
}

/** Says what a message would change in the film. */
export function FeedbackEffect({ feedback }: { feedback: ReadFeedback }) {
  const isPlan = useView(({ approval }) => approval?.type === 'plan');
  const { reading, of, isCurrent } = feedback;
  const isRead = of.trim() !== '';
  const lines = isRead ? linesOf(feedback, isPlan) : [];
  const isNothing = isRead && reading.changes?.length === 0 && reading.render === null;
  const summary = [...lines.map(({ text }) => text), ...(isNothing ? ['Nothing in this message changes the film'] : [])].join(
    '. ',
  );
  const spoken = useSettled(isCurrent ? summary : '', quietMs);
  return (
    // A line is kept for the first reading, so that the box above it stays where it is.
    <div className="min-h-5 px-2 text-xs leading-5">
      <p role="status" className="sr-only">
        {spoken}
      </p>
      {lines.length > 0 && (
        <ul aria-label="What this message changes" className="flex flex-wrap gap-x-4">
          {lines.map(({ text, isWarning }) => (
            <li key={text} className={cx('wrap-anywhere', isWarning ? 'text-warn' : 'text-ink-2')}>
              {text}
            </li>
          ))}
        </ul>
      )}
      {isNothing && (
        <p className="text-ink-2">
          Nothing in this message changes the film. Try “make it 12 seconds” or edit the scene{' '}
          <span className="max-md:hidden">on the right.</span>
          <span className="md:hidden">under “Watch”.</span>
        </p>
      )}
    </div>
  );
}
