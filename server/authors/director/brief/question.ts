import type { Brief } from './brief.ts';

export interface QuestionOption {
  readonly id: string;
  readonly label: string;
  readonly description: string;
}

export interface Question {
  readonly content: string;
  readonly options: readonly QuestionOption[];
}

const styleOptions: readonly QuestionOption[] = [
  { id: 'playful', label: 'Playful', description: 'Fast and bouncy: overshoot, squash and stretch, warm saturated colours.' },
  {
    id: 'smooth',
    label: 'Smooth',
    description: 'Slow and subtle: long soft ease in and out, a quiet palette, nothing overshoots.',
  },
  { id: 'cinematic', label: 'Cinematic', description: 'Dark ground, depth and a moving camera; tension builds, then releases.' },
];

/** What each option of the other two questions means, in words that the grammar reads. */
const subjectOptions: readonly (QuestionOption & { readonly words: string })[] = [
  {
    id: 'bouncing-ball',
    label: 'A bouncing ball',
    description: 'A ball drops in, bounces three times and settles.',
    words: 'A ball bounces three times, playful.',
  },
  {
    id: 'title',
    label: 'A title',
    description: 'Your words come in letter by letter, over drifting sparkles.',
    words: "The title 'Hello' appears letter by letter with sparkles, smooth.",
  },
  {
    id: 'orbit',
    label: 'A small solar system',
    description: 'Planets circle a glowing centre while the camera moves around them.',
    words: 'Planets orbit, cinematic.',
  },
];

const durationOptions: readonly (QuestionOption & { readonly words: string })[] = [
  { id: 'duration-6', label: '6 seconds', description: 'One clear moment, good for a loop or a post.', words: '6 seconds' },
  { id: 'duration-15', label: '15 seconds', description: 'A short story in a few scenes.', words: '15 seconds' },
  { id: 'duration-60', label: '60 seconds', description: 'A full minute, with time for every scene.', words: '60 seconds' },
];

const byId = new Map([...subjectOptions, ...durationOptions].map((option) => [option.id, option.words]));

/** An answer as words to read: options by what they mean, free text as it is. */
export const answerWords = (answer: string): string => byId.get(answer) ?? answer;

const bare = ({ id, label, description }: QuestionOption): QuestionOption => ({ id, label, description });

/** The one question worth asking, if any. A project that has had its answer gets none (A2). */
export function question(brief: Brief): Question | null {
  if (brief.answered) return null;
  if (!brief.animatable) {
    const heard = brief.prompt.trim() === '' ? '' : 'I could not find anything to animate in that. ';
    return {
      content: `${heard}What should move? Pick one, or describe it in a sentence: a thing, what it does, a text.`,
      options: subjectOptions.map(bare),
    };
  }
  const duration = brief.problems.find((problem) => problem.code !== 'nothing_to_animate');
  if (duration !== undefined)
    return { content: `${duration.message} How long should the film be?`, options: durationOptions.map(bare) };
  if (brief.style.source !== null) return null;
  return { content: 'How should it move?', options: styleOptions };
}
