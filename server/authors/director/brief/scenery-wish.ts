import type { Clause, SceneryWish } from './brief.ts';
import type { Scenery } from './sense.ts';
import { type State, takeMods } from './state.ts';

/** Adds to what a clause says of where and when it plays; a second hour, or weather, is what the first one turns into. */
export function readScenery(state: State, { place, time, weather, mood, begins, times = [] }: Scenery): void {
  if (state.negated) {
    if (weather !== undefined) state.excluded.things.push(weather);
    return;
  }
  state.details += 1;
  const { shade } = takeMods(state);
  const wish: SceneryWish = state.clause.scenery ?? {
    place: null,
    time: null,
    weather: null,
    mood: null,
    toTime: null,
    toWeather: null,
  };
  // Who speaks of a room's window looks at it.
  wish.place = wish.place === 'room' && place === 'window' ? place : (wish.place ?? place ?? null);
  wish.mood ??= mood ?? null;
  const dark = shade === 'dark' || shade === 'deep' || shade === 'neon' ? ('night' as const) : undefined;
  for (const next of [time ?? dark, ...times]) {
    if (next === undefined || next === wish.time) continue;
    if (wish.time === null) wish.time = next;
    else wish.toTime = next;
  }
  if (weather !== undefined && weather !== wish.weather) {
    if (wish.weather === null && begins !== true) wish.weather = weather;
    else wish.toWeather = weather;
  }
  state.clause.scenery = wish;
}

/** Takes what a later clause says into the one before: its hour and weather come after, unless there were none. */
export function joinScenery(into: Clause, { scenery, sequenced }: Clause): void {
  if (scenery === null) return;
  const before = into.scenery;
  if (before === null) {
    into.scenery = scenery;
    return;
  }
  before.place ??= scenery.place;
  if (before.time === null && !sequenced) before.time = scenery.time;
  else if (scenery.time !== null && scenery.time !== before.time) before.toTime = scenery.time;
  if (before.weather === null && !sequenced) before.weather = scenery.weather;
  else if (scenery.weather !== null && scenery.weather !== before.weather) before.toWeather = scenery.weather;
  before.toTime ??= scenery.toTime;
  before.toWeather ??= scenery.toWeather;
}
