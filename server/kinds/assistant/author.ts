import type { Message } from '#contract/project.ts';
import { type JobId, jobNamed, readyJobs } from '#kinds/assistant/contract/assistant.ts';
import type { AuthorContext } from '../../projects/assignment.ts';
import type { Converser } from '../../projects/author.ts';
import { cleanUp } from './jobs/clean-up.ts';
import type { Job } from './jobs/job.ts';
import { makeSchedule } from './jobs/schedule.ts';
import { makeSizes } from './jobs/sizes.ts';
import { makeVariants } from './jobs/variants.ts';
import { canResume, Turn, Waiting } from './turn.ts';

const jobs: Readonly<Record<JobId, Job>> = {
  'clean-up': cleanUp,
  schedule: makeSchedule,
  sizes: makeSizes,
  variants: makeVariants,
};

/** Returns the message that the turn is about. Answers to questions are messages, too, and come right after them. */
export function requestIn({ messages, settled }: AuthorContext): Message | undefined {
  const said = messages.filter(({ role }) => role === 'user');
  const answers = new Set(settled.map(({ approval }) => said.find(({ at }) => at > approval.at)));
  return said.findLast((message) => !answers.has(message));
}

async function jobFor(context: AuthorContext, turn: Turn): Promise<Job | null> {
  const named = jobNamed(requestIn(context)?.content ?? '');
  if (named !== null) return jobs[named.id];
  const options = readyJobs.map(({ id, title, sentence }) => ({ id, label: title, description: sentence }));
  const answer = await turn.ask('job', { content: 'What should Koda do? Anything else needs a language model.', options });
  const chosen = answer.outcome === 'option' ? readyJobs.find(({ id }) => id === answer.optionId) : null;
  const job = chosen ?? (answer.outcome === 'free_text' ? jobNamed(answer.text) : null);
  return job === null ? null : jobs[job.id];
}

/** Carries out ready jobs, without a language model: it asks with surfaces, and calls the assistant's tools. */
export const readyJobsAuthor: Converser = {
  kind: 'ready-jobs',
  name: 'Ready jobs (built in)',
  canResume,
  async converse(context, run) {
    const turn = await Turn.open(run);
    try {
      const job = await jobFor(context, turn);
      if (job === null) return { content: 'Choose one of the jobs, or connect a language model in the settings.' };
      return await job(turn);
    } catch (error) {
      if (error instanceof Waiting) return null;
      throw error;
    }
  },
};
