import type { SubjectPlace } from '../layout/places.ts';
import type { ScenePart } from '../scene-parts.ts';
import { particlesPart, wavePart } from './air-part.ts';
import { barsPart } from './bars-part.ts';
import { bodySubject } from './body-part.ts';
import { counterPart } from './counter-part.ts';
import type { Situation } from './situation.ts';

/** The code of one subject of a scene. */
export function subjectPart(place: SubjectPlace, situation: Situation): ScenePart {
  const { subject } = place;
  switch (subject.kind) {
    case 'bars':
      return barsPart({ ...place, subject }, situation);
    case 'counter':
      return counterPart({ ...place, subject }, situation);
    case 'particles':
      return particlesPart(subject, situation);
    case 'wave':
      return wavePart(subject, situation);
    default:
      return bodySubject(place, situation);
  }
}
