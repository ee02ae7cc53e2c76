import { expect, it } from 'vitest';
import type { FilmOutline } from '#kinds/film/contract/film.ts';
import { codeFilm } from '#kinds/film/contract/outline.ts';
import { planOf } from './document/document.ts';
import { filmKind } from './kind.ts';

const outline: FilmOutline = {
  ...{ title: 'Film', style: 'smooth', aspect: '16:9', durationSeconds: 6, fps: 60, caveat: null },
  scenes: [1, 2, 3].map((number) => ({
    ...{ number, title: `Scene ${number}`, startSeconds: (number - 1) * 2, durationSeconds: 2 },
    ...{ description: 'A ball.', animationNotes: 'It falls.' },
  })),
};
const plan = { ...planOf(codeFilm(outline, 1), outline), id: 'plan_1', revision: 1, accepted: true } as const;
const { checkKey } = filmKind.generator;
const change = (...files: string[]) => ({ task: 'modify_existing' as const, files, change: 'x' });

it('46.2: checks the frames of the scenes that a task writes', () => {
  const of = (task: Parameters<typeof checkKey>[0], todoKey: string | null = null) => checkKey(task, { plan, todoKey });
  expect(of({ task: 'initial_setup', style: 'smooth' })).toBe('setup');
  expect(of({ task: 'create_scene', scenes: [2, 3], components: [] })).toBe('scene:2,3');
  expect(of(change('src/theme.ts', 'src/scenes/scene-2.tsx'))).toBe('scene:2');
  expect(of(change('src/theme.ts'), 'change:msg_1')).toBe('change:msg_1');
  expect(of(change('src/theme.ts'))).toBe('change');
});
