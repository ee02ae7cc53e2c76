import type { Motion, Style, Subject } from '../../../contract/film.ts';
import { manners } from '../emit/style.ts';
import { quoted, type Worded } from './description.ts';
import { inMeetings, meetingTechnique } from './meeting-words.ts';
import { capitalize, particleNames } from './names.ts';
import { stillSeconds } from './timing.ts';

const eases: Readonly<Record<Style, { readonly enter: string; readonly exit: string }>> = {
  playful: { enter: 'easeOutBack', exit: 'easeInBack' },
  smooth: { enter: 'easeOutQuint', exit: 'easeInCubic' },
  cinematic: { enter: 'easeOutQuart', exit: 'easeInQuart' },
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** How the main move is made, in the terms of the trade. */
function technique(subject: Subject, style: Style): string {
  const manner = manners[style];
  switch (subject.kind) {
    case 'bars':
      if (subject.chart === 'pie')
        return 'One even sweep from the top; figures count along, and the largest sector steps forward.';
      if (subject.chart === 'line') return 'One even stroke from left to right; every point comes in as the line reaches it.';
      return `Bars start ${manner.staggerSeconds} s apart and ${style === 'playful' ? 'overshoot a little' : 'settle without overshoot'}; figures count along with their bar.`;
    case 'counter':
      return 'The figure runs fast and brakes over the last tenth, digits tabular so that nothing jitters.';
    case 'particles':
      return `${capitalize(particleNames[subject.preset])}: near pieces larger and faster than far ones, each on a path of its own.`;
    case 'wave':
      return 'Lines share one wavelength with shifted phases; the loop closes exactly.';
    case 'orbit':
      return 'Inner bodies run faster than outer ones; constant speed, no easing on the circle itself.';
    case 'loader':
      return 'The loop closes in value and speed, so that it can run forever.';
    default:
      return motionTechnique(subject.motion, style);
  }
}

function motionTechnique(motion: Motion, style: Style): string {
  const manner = manners[style];
  switch (motion.type) {
    case 'bounce':
      return `True parabolas, each landing keeps ${percent(manner.restitution)} of the speed; squash to ${percent(manner.impactSquash)} on impact with the volume kept, the shadow tightens on the way down.`;
    case 'jump':
      return `Anticipation before each take-off, stretch in the air, squash to ${percent(manner.impactSquash)} on landing.`;
    case 'roll':
      return 'Rotation is tied to the distance rolled; it brakes softly before it rests.';
    case 'slide':
    case 'fly':
      return style === 'playful'
        ? 'Runs past its mark by a tenth and swings back.'
        : 'Brakes over the second half of the way, without overshoot.';
    case 'spin':
      return style === 'playful'
        ? 'Winds up against the turn first, then overshoots and settles.'
        : 'One long ease in and out through the whole turn.';
    case 'float':
    case 'swing':
      return 'Sine motion with the phase shifted from body to body, so that nothing moves in step.';
    case 'act':
      return 'Every beat of it has its own ease; what it does again is never stamped.';
    case 'pulse':
      return 'Quick swell, slow release; the shadow breathes along.';
    case 'explode':
      return 'Swell of a tenth, two still frames, then pieces thrown out fast and slowed by the air.';
    case 'drop':
      return `Accelerates all the way down; squash to ${percent(manner.impactSquash)} on landing.`;
    case 'grow':
    case 'appear':
      return style === 'playful'
        ? 'Scale overshoots by a tenth before it settles.'
        : 'Scale and light come up together, without overshoot.';
    case 'shrink':
      return 'A small swell first, then it is drawn in.';
  }
}

/** Entry, accents, hold and exit with their times and curves. */
export function notesFor(scene: Worded, style: Style): string {
  const manner = manners[style];
  const { enter, exit } = eases[style];
  const met = inMeetings(scene);
  const alone = scene.subjects.filter(({ id }) => !met.has(id));
  const techniques = [...new Set([...meetingTechnique(scene), ...alone.map((subject) => technique(subject, style))])];
  const first = scene.texts[0];
  const cue =
    first === undefined || scene.subjects.length === 0
      ? ''
      : `${quoted(first.text, 30)} comes in at ${first.delaySeconds} s${scene.subjects.some((subject) => subject.kind !== 'particles' && subject.kind !== 'wave') ? ', on an accent of the move' : ''}.`;
  const hold = Math.round(stillSeconds(scene, style) * 10) / 10;
  return [
    `Entry ${manner.enterSeconds} s, ${enter}.`,
    ...techniques,
    cue,
    scene.speed === 1 ? '' : `Everything runs at ${percent(scene.speed)} of the usual pace.`,
    `${hold > 0 ? `Hold ${hold} s. ` : ''}Exit in ${manner.exitSeconds} s, ${exit}, when a scene follows.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, 1000);
}
