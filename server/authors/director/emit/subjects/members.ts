import type { Film } from '../../../../contract/film.ts';
import { companyOf, type Member } from '../company.ts';
import type { SubjectPlace } from '../layout/places.ts';

/** The members of this subject's company that are its own bodies. */
export function membersOf({ subject, places, company, rank }: SubjectPlace, film: Film): readonly Member[] {
  return companyOf(company, subject.motion, film).slice(rank, rank + places.length);
}
