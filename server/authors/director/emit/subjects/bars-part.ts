import type { Film, Style, Subject } from '../../../../contract/film.ts';
import { arrayLiteral, element, identifier, number, objectLiteral, quote } from '../code.ts';
import { round, worldX } from '../frame.ts';
import type { KeyStop } from '../keyframes.ts';
import { stop } from '../keyframes.ts';
import type { SubjectPlace } from '../layout/places.ts';
import { readable } from '../readable.ts';
import { barParameters, colorParameter, readCode } from '../scene-parameters.ts';
import type { ScenePart } from '../scene-parts.ts';
import type { SceneTiming } from '../timing.ts';
import { panelChannels, type Situation } from './situation.ts';

/** A chart tells its figures one after the other: the next bar starts when the one before has shown how high it gets. */
const barSeconds: Readonly<Record<Style, number>> = { playful: 0.75, smooth: 0.9, cinematic: 1.1 };
/** The bars take turns as far as the scene has time for it. */
const buildShare = 0.5;

/** When the first bar starts, how long each one grows, and how much later the next one starts. */
function barTimes(count: number, film: Film, timing: SceneTiming): { from: number; growSeconds: number; stagger: number } {
  const from = timing.first ? 0.15 : round(timing.leadSeconds + 0.15);
  const growSeconds = barSeconds[film.style] / timing.speed;
  const room = Math.max(0.6, (timing.settledBy - from) * buildShare);
  const stagger = count < 2 ? 0 : Math.min(growSeconds * 0.6, Math.max(0, room - growSeconds) / (count - 1));
  return { from, growSeconds: round(Math.min(growSeconds, room)), stagger: round(stagger) };
}

/** When the highest bar steps forward, and how long that takes. */
const emphasisPause = 0.35;
const emphasisSeconds = 0.8;

/** What draws each kind of chart, and what it does, for the comment above its keyframes. */
const charts = {
  bars: {
    file: 'bars.tsx',
    body: 'Bars',
    labels: 'BarLabels',
    does: 'The bars grow one after another; then the highest steps forward.',
  },
  pie: {
    file: 'pie.tsx',
    body: 'Pie',
    labels: 'PieLabels',
    does: 'The ring closes clockwise; then the largest sector steps forward.',
  },
  line: {
    file: 'line-chart.tsx',
    body: 'LineChart',
    labels: 'LineLabels',
    does: 'The line runs over its points; then the highest swells.',
  },
} as const;

function barChannels(
  count: number,
  film: Film,
  timing: SceneTiming,
  still: boolean,
): Record<string, readonly KeyStop[] | number> {
  const { from, growSeconds, stagger } = barTimes(count, film, timing);
  const ease = film.style === 'playful' ? 'easeOutBack' : film.style === 'smooth' ? 'easeOutQuint' : 'easeInOutQuart';
  const grow = [stop(from, timing.first ? 0.04 : 0), stop(round(from + growSeconds), 1, ease, 'full height')];
  const built = from + growSeconds + stagger * (count - 1);
  const forward = round(built + emphasisPause);
  const steps = count > 1 && forward + emphasisSeconds <= timing.settledBy + 0.3;
  return {
    grow,
    ...(steps
      ? { emphasis: [stop(forward, 0, null, 'second beat'), stop(round(forward + emphasisSeconds), 1, 'easeInOutCubic')] }
      : {}),
    ...(still ? {} : { life: [stop(round(built), 0), stop(round(built + 1), 1, 'easeInOutCubic')] }),
  };
}

export function barsPart(place: SubjectPlace & { subject: Extract<Subject, { kind: 'bars' }> }, situation: Situation): ScenePart {
  const { subject, area } = place;
  const { film, scene, frame, layout, timing } = situation;
  const name = identifier(subject.id);
  const count = subject.bars.length;
  const { stagger } = barTimes(count, film, timing);
  const { file, body, labels, does } = charts[subject.chart ?? 'bars'];
  const bars = barChannels(count, film, timing, scene.still === 'everything');
  const drawn = Math.max(1.2, barTimes(count, film, timing).growSeconds + stagger * (count - 1));
  // A ring and a line are drawn as one, over the time in which bars take their turns.
  const channels =
    subject.chart === undefined
      ? bars
      : {
          ...bars,
          grow: [
            stop(barTimes(count, film, timing).from, timing.first ? 0.04 : 0),
            stop(round(barTimes(count, film, timing).from + drawn), 1, 'easeInOutCubic', 'complete'),
          ],
        };
  const ground = (scene.background ?? { bottom: film.palette.backgroundBottom }).bottom;
  const top = frame.height * (0.5 - area.top / 100) + layout.cameraY;
  const parameters = barParameters(subject);
  const chart = objectLiteral([
    [
      'bars',
      arrayLiteral(
        parameters.map(({ label, value }) =>
          objectLiteral([
            ['label', readCode(label)],
            ['value', readCode(value)],
          ]),
        ),
        10,
      ),
    ],
    ['unit', quote(subject.unit)],
    ['x', number(worldX(frame, (area.left + area.right) / 2))],
    [
      'width',
      number(
        ((area.right - area.left) / 100) *
          frame.width *
          (frame.portrait
            ? 0.96
            : 0.86 *
              (subject.chart === 'pie' ? 1 : Math.min(1, (subject.chart === 'line' ? 0.55 : 0.45) + subject.bars.length * 0.12))),
      ),
    ],
    // Room above the tallest bar for its value.
    ['height', number((top - frame.groundY) * 0.77 * Math.min(1, subject.size))],
    ['staggerSeconds', number(stagger)],
    ['color', readCode(colorParameter(subject))],
    ['ink', quote(readable(film.palette.ink, ground))],
  ]);
  return {
    kit: [
      [file, body],
      [file, labels],
      ['bars.tsx', 'type Chart'],
    ],
    tracks: [
      {
        name,
        comment: does,
        channels: panelChannels(channels, situation),
      },
    ],
    constants: [`const ${name}Chart: Chart = ${chart};`],
    world: [
      element(
        body,
        [
          ['track', `{tracks.${name}}`],
          ['chart', `{${name}Chart}`],
        ],
        6,
      ),
    ],
    overlay: [
      element(
        labels,
        [
          ['track', `{tracks.${name}}`],
          ['chart', `{${name}Chart}`],
        ],
        6,
      ),
    ],
    parameters: [colorParameter(subject), ...parameters.flatMap(({ label, value }) => [label, value])],
    accents: [],
  };
}
