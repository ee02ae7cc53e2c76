import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '#contract/project.ts';
import { type Film, type FilmOutline, filmSchema } from '#kinds/film/contract/film.ts';
import { filmOf, filmOutlineOf, isCode } from '#kinds/film/contract/outline.ts';
import { anyCharacter } from '../../../../test/fixtures/characters.ts';
import { planOf, problemsOf } from '../document/document.ts';
import { printFilm } from '../document/print.ts';
import { formatOf } from '../formats/catalogue.ts';
import { filmKind } from '../kind.ts';
import { changeFilm } from './change-film.ts';
import { planFilm } from './plan-film.ts';

const words = [
  ...['Welcome', 'Buy milk', '- bread', '1.', '\n', 'a,b\n1,2', '"quoted words"', '“so”', '12 %', '€ 4.50', '2026-03-01'],
  ...['playful', 'cinematic', 'as a checklist', 'make it', 'faster', 'scene 2', '8 seconds', '0:12', 'vertical', '#ff0000'],
  ...['zwei', 'größer', 'étoile', '资产', 'مرحبا', '🎉', 'https://koda.dev', '@koda', '```js\nlet a = 1\n```', '{"a": 1}'],
];
const requests = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...words), { maxLength: 24 }).map((parts) => parts.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) },
);
const hints = fc.record({
  style: fc.constantFrom(null, 'playful' as const),
  aspect: fc.constantFrom(null, '9:16' as const),
  durationSeconds: fc.oneof(fc.constant(null), fc.double({ min: 1.5, max: 600, noNaN: true })),
});
const noHints = { style: null, aspect: null, durationSeconds: null };

function expectSound(film: Film): void {
  expect(filmSchema.safeParse(film).error?.issues ?? []).toEqual([]);
  expect(JSON.parse(JSON.stringify(film))).toEqual(film);
  expect(problemsOf(planOf(film))).toEqual([]);
  for (const scene of film.scenes)
    if (!isCode(scene)) expect(formatOf(scene.format)?.props.safeParse(scene.props).error?.issues ?? []).toEqual([]);
  expect(() => printFilm(film)).not.toThrow();
}

describe('any request', () => {
  it('A33 X1: gives a valid film, the same each time', () => {
    fc.assert(
      fc.property(requests, hints, fc.nat(1000), (prompt, hint, seed) => {
        const request = { prompt, hints: hint, answers: [], assets: [], seed };
        const planned = planFilm(request);
        const { film, caveat } = planned;
        expectSound(film);
        expect(caveat?.length ?? 0).toBeLessThanOrEqual(500);
        const { film: again, spans } = planFilm(request);
        expect({ film: again, spans }).toEqual({ film, spans: planned.spans });
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  it('A9: as feedback leaves a valid film, and says what was done', () => {
    fc.assert(
      fc.property(requests, fc.array(requests, { minLength: 1, maxLength: 4 }), (prompt, changes) => {
        let film: Film = planFilm({ prompt, hints: noHints, answers: [], assets: [], seed: 3 }).film;
        for (const change of changes) {
          const changed = changeFilm(film, change, { assets: [] });
          expect(changed.explanation).not.toBe('');
          film = changed.film;
          expectSound(film);
        }
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  it('A5: as the words of a plan that was edited in any way leaves a valid film', () => {
    fc.assert(
      fc.property(
        ...([requests, requests, fc.array(fc.nat(20), { maxLength: 6 }), fc.integer({ min: 2, max: 9 })] as const),
        (prompt, text, order, seconds) => {
          const { film } = planFilm({ prompt, hints: noHints, answers: [], assets: [], seed: 5 });
          const before: Plan = { ...planOf(film), id: 'plan_0123456789abcdef0123', revision: 1, accepted: false };
          const outline = filmOutlineOf(before);
          if (outline === null) throw new Error('The plan has no film.');
          const chosen = [0, ...order].flatMap((at) => outline.scenes[at % outline.scenes.length] ?? []);
          const scenes = chosen.map((scene, index) => ({
            ...scene,
            number: index + 1,
            startSeconds: index * seconds,
            durationSeconds: seconds,
            description: index === 1 && text !== '' ? text : scene.description,
          }));
          const edit: FilmOutline = { ...outline, scenes, durationSeconds: seconds * scenes.length };
          const after = filmKind.outline.edited(before, edit, { assets: [], parsesText: true });
          expectSound(filmOf(after) ?? film);
          expect(after.sections.map(({ durationSeconds }) => durationSeconds)).toEqual(scenes.map(() => seconds));
        },
      ),
      { numRuns: 200 },
    );
  }, 60_000);
});
