import { expect, it } from 'vitest';
import { planFilm } from '../author/plan-film.ts';
import { iconStory } from './icon-story.ts';

const hints = { style: null, aspect: null, durationSeconds: null };
const beatsOf = (prompt: string) => {
  const [scene] = planFilm({ prompt, hints, answers: [], assets: [], seed: 1 }).film.scenes;
  return scene?.format === 'icon-story' ? (scene.props as { beats: unknown }).beats : null;
};
const beat = (act: string, side?: string) => ({ actor: 0, act, target: null, ...(side === undefined ? {} : { side }) });

it.each([
  ['A cat walks in from the left, stops and sits down', [beat('enter', 'left'), beat('stop'), beat('sit')]],
  ['Eine Katze kommt von links, bleibt stehen und setzt sich', [beat('enter', 'left'), beat('stop'), beat('sit')]],
  ['A dog runs to the right through a city', [beat('run', 'right')]],
  ['A car drives from left to right on a street', [beat('drive', 'right')]],
])('A32: a story is read with its sides: “%s”', (prompt, beats) => {
  expect(beatsOf(prompt)).toEqual(beats);
});

it('A32: a bus that stops somewhere is no story', () => {
  expect(beatsOf('The bus stops at Main Street')).toBeNull();
});

it('A32: words in a bubble have at most 40 characters, and time to be read', () => {
  const scene = (text?: string) => ({
    ...{ caption: null, place: 'none', actors: [{ icon: 'fluent:cat', count: 1, color: null }] },
    beats: [{ ...beat('say'), ...(text === undefined ? {} : { text }) }],
  });
  const silent = iconStory.props.parse(scene());
  expect(silent).toEqual(scene());
  expect(iconStory.seconds(iconStory.props.parse(scene('Good morning, did you sleep well?')))).toBeGreaterThan(
    iconStory.seconds(silent) + 1,
  );
  expect(iconStory.props.safeParse(scene('Good morning, did you sleep well last night?')).success).toBe(false);
});
