import type { Palette, Style } from '../../../contract/film.ts';
import type { BackgroundWish, Brief, Clause, SubjectWish } from '../brief/brief.ts';
import { sameKind } from '../brief/wishes.ts';
import { sunColor } from '../color.ts';
import { choosePalette, companions, festive, type Ground, groundFrom } from '../palette.ts';
import { placeGround } from './place-ground.ts';
import { placeOf } from './scenery.ts';
import { naturalColor } from './subjects.ts';

/** "Rainbow balls": one thing for each colour, sharing the count. */
export function splitColors(wish: SubjectWish, palette: Palette): SubjectWish[] {
  const many = wish.ref.kind === 'shape' && wish.ref.festive === true && wish.plural && wish.color === null;
  const subject = many ? { ...wish, colors: festive(palette, palette.accent) } : wish;
  const several = ['ball', 'cube', 'shape'].includes(subject.ref.kind) && subject.colors.length > 1;
  const total = subject.count ?? (subject.plural ? subject.colors.length : 1);
  if (!several || total < 2) return [subject];
  const colors = subject.colors.slice(0, Math.min(total, 6));
  return colors.map((color, i) => ({
    ...subject,
    color,
    colors: [],
    plural: false,
    count: Math.floor(total / colors.length) + (i < total % colors.length ? 1 : 0),
  }));
}

export function groundOf(wish: BackgroundWish | null): Ground | null {
  const [top, bottom] = wish?.colors ?? [];
  if (top === undefined) return null;
  return bottom === undefined || bottom === top ? groundFrom(top) : { top, bottom };
}

/** Stars and fireworks are seen in the dark, and so is what goes around the sun. */
const nightly = (clauses: readonly Clause[]): boolean =>
  clauses.some(({ subjects }) =>
    subjects.some(
      ({ ref, color }) =>
        (ref.kind === 'particles' && (ref.preset === 'stars' || ref.preset === 'fireworks')) ||
        (ref.kind === 'orbit' && color === sunColor),
    ),
  );

export function choose(brief: Brief, clauses: readonly Clause[], style: Style, seed: number): Palette {
  const place = clauses.map(placeOf).find((one) => one !== undefined);
  const background = groundOf(brief.background) ?? (place === undefined ? null : placeGround(place, style));
  const own = clauses.filter((clause) => clause.background === null);
  return choosePalette(style, seed, {
    background,
    tone: background === null ? (brief.background?.shade ?? (nightly(own) ? 'dark' : null)) : null,
    subjectColors: own.flatMap((clause) => clause.subjects.flatMap((subject) => naturalColor(subject) ?? [])),
    textColors: own.flatMap((clause) => clause.texts.flatMap((text) => text.color ?? [])),
  });
}

/** Colours for things that nobody gave one: the accent leads, the palette's companions follow, and a thing that comes again keeps its own. */
export function colorer(palette: Palette): (wish: SubjectWish) => string {
  const pool = companions(palette, palette.accent);
  const known: { wish: SubjectWish; color: string }[] = [];
  let used = 0;
  return (wish) => {
    const before = wish.definite ? known.findLast((one) => sameKind(one.wish.ref, wish.ref)) : undefined;
    const color = wish.color ?? before?.color ?? pool[used % pool.length] ?? palette.accent;
    // What fills the air leaves the accent to the thing that leads.
    if (wish.color === null && before === undefined && wish.ref.kind !== 'particles') used += 1;
    known.push({ wish, color });
    return color;
  };
}
