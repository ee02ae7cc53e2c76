import { z } from 'zod';
import { aspectSchema, frameSize } from '#contract/render.ts';
import { cancelButton, choice, counted, surfaceOf, table, words } from '../surfaces.ts';
import type { Turn } from '../turn.ts';
import { cancelled, filmOptions, filmsFor, type Job, noFilms, one, problemsPart, several } from './job.ts';
import { makeVideos } from './make-videos.ts';

const shapeNames = { '16:9': 'Wide, 16:9', '9:16': 'Upright, 9:16', '1:1': 'Square, 1:1', '4:5': 'Portrait, 4:5' } as const;
const shapes = aspectSchema.options.map((value) => ({ value, label: shapeNames[value] }));
const chosenShapes = z.array(aspectSchema).min(1);

/** Renders a finished film in other shapes. */
export const makeSizes: Job = async (turn: Turn) => {
  const films = await filmsFor(turn);
  if (films.length === 0) return noFilms;
  const values = ['film', 'sizes'];
  const answer = await turn.form('choose', {
    content: 'Which film, and in which sizes?',
    values: { film: films.length === 1 ? [films[0]?.id] : [], sizes: [], ...turn.enteredBefore('choose', values) },
    draw: (surfaceId, { values: data, problems }) =>
      surfaceOf(surfaceId, {
        title: 'Another size',
        parts: [
          ...problemsPart(problems),
          choice('film', 'Film', filmOptions(films), 'mutuallyExclusive'),
          choice('sizes', 'Sizes', shapes, 'multipleSelection'),
        ],
        ...{ data, values },
        buttons: [{ id: 'next', label: 'Show what will be made', isPrimary: true }, cancelButton],
      }),
    check(entered) {
      const film = films.find(({ id }) => id === one.safeParse(entered['film']).data);
      const sizes = chosenShapes.safeParse(several.safeParse(entered['sizes']).data);
      if (film !== undefined && sizes.success) return { value: { film, sizes: [...new Set(sizes.data)] } };
      return {
        problems: [film === undefined ? 'Film: choose one.' : '', sizes.success ? '' : 'Sizes: choose at least one.'].filter(
          Boolean,
        ),
      };
    },
  });
  if (answer === null) return cancelled;
  const { film, sizes } = answer.value;
  const wanted = sizes.map((aspect) => ({ label: shapeNames[aspect], aspect }));
  const rows = sizes.map((aspect) => {
    const { width, height } = frameSize(aspect, '1080p');
    return { label: shapeNames[aspect], size: `${width}×${height}` };
  });
  const what = counted(sizes.length, 'video');
  const agreed = await turn.form('confirm', {
    content: `Make ${what} of “${film.name}”?`,
    values: {},
    draw: (surfaceId, { problems }) =>
      surfaceOf(surfaceId, {
        title: `Make ${what} of “${film.name}”`,
        parts: [
          ...problemsPart(problems),
          words('length', `Each is ${film.seconds} s long. The film itself stays as it is.`),
          table('sizes', 'What will be made', [
            ['Shape', 'label'],
            ['Size', 'size'],
          ]),
        ],
        data: { sizes: rows },
        buttons: [{ id: 'make', label: `Make ${what}`, isPrimary: true }, cancelButton],
      }),
    check: () => ({ value: true }),
  });
  return agreed === null ? cancelled : await makeVideos(turn, film, wanted);
};
