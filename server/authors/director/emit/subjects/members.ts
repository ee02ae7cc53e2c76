import type { Film } from '../../../../contract/film.ts';
import type { SubjectPlace } from '../layout/places.ts';
import { type Member, staggerOf } from '../stagger.ts';

/** The members of this subject’s group that are its own bodies. */
export function membersOf({ subject, places, groupSize, rank }: SubjectPlace, film: Film): readonly Member[] {
  return staggerOf(groupSize, subject.motion, film).slice(rank, rank + places.length);
}
