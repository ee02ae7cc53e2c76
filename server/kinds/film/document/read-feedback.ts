import type { Film } from '#kinds/film/contract/film.ts';
import type { FeedbackReading } from '#kinds/film/contract/reading.ts';
import { changeFilm } from '../author/change-film.ts';
import type { FilmAsset } from '../author/plan-film.ts';
import { describeRequest } from '../author/render-request.ts';
import { withoutUnknownIcons } from './document.ts';
import { changesBetween } from './film-changes.ts';

/** Says what a message would change in a film, by changing it as the built-in author does. */
export function feedbackReading(
  film: Film,
  text: string,
  { assets }: { readonly assets: readonly FilmAsset[] },
): FeedbackReading {
  const { film: changed, render, steps } = changeFilm(film, text, { assets });
  let before = film;
  const spans = steps.map((step): FeedbackReading['spans'][number] => {
    const span = { start: step.start, end: step.end, changes: [] };
    if (step.does === 'not-understood') return { ...span, state: 'not-understood', note: null };
    if (step.does === 'nothing') return { ...span, state: 'impossible', note: step.note };
    if (step.does === 'render')
      return { ...span, state: 'instruction', note: `Renders the video ${describeRequest(step.render)}.` };
    const after = withoutUnknownIcons(step.film);
    const changes = changesBetween(before, after);
    before = after;
    return { ...span, state: 'instruction', changes, note: step.note };
  });
  return {
    spans,
    changes: changesBetween(film, withoutUnknownIcons(changed)),
    render: render === null ? null : describeRequest(render),
  };
}
