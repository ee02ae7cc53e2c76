import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { PlanDraft } from '#contract/project.ts';
import { aspectSchema } from '#contract/render.ts';
import {
  type Film,
  type FilmOutline,
  type FilmScene,
  type FormatScene,
  filmSchema,
  maxDurationSeconds,
  maxScenes,
  type Scene,
  sceneIdOf,
  styleSchema,
} from '#kinds/film/contract/film.ts';
import { codeFilm, codeScene, filmOf, filmOutlineOf, isCode, lengthsOf, planOfFilm } from '#kinds/film/contract/outline.ts';
import { validatePlan } from '#kinds/film/contract/plan-rules.ts';
import { withKnownIcons } from '../author/icons.ts';
import { fold } from '../author/read/reading.ts';
import { textsOf } from '../check/expected-texts.ts';
import { formatOf } from '../formats/catalogue.ts';
import { shorten } from '../formats/define-format.ts';

export function outlineOfScene(scene: FilmScene): { title: string; description: string } {
  if (isCode(scene)) return { title: scene.title, description: scene.description };
  const format = formatOf(scene.format);
  const props = format?.props.safeParse(scene.props);
  const { title, description } = props?.success
    ? (format?.outline(props.data) ?? { title: '', description: '' })
    : { title: scene.format, description: '' };
  return {
    title: shorten(scene.title ?? title, 80) || scene.format,
    description: shorten(description, 1000) || scene.format,
  };
}

/** Returns a film's plan: its outline, and the film itself. Texts that the film shows are removed from `notShown`. */
export function planOf(film: Film, { caveat, notShown }: Pick<PlanDraft, 'caveat' | 'notShown'> = { caveat: null }): PlanDraft {
  const plan = planOfFilm(film, caveat, outlineOfScene);
  if (notShown === undefined) return plan;
  const shown = fold(
    textsOf(film)
      .map(({ text }) => text)
      .join(' '),
  );
  return { ...plan, notShown: notShown.filter((text) => !shown.includes(fold(text))) };
}

/** Returns a stored plan's film. Throws INVALID_PLAN if this release cannot read the plan's version. */
export function storedFilm(plan: PlanDraft): { film: Film; outline: FilmOutline } {
  const film = filmOf(plan);
  const outline = filmOutlineOf(plan);
  if (film === null || outline === null)
    throw new KodaError('INVALID_PLAN', 'This film was made by a newer version of Koda. Update Koda to edit it.');
  return { film, outline };
}

/** Returns what is wrong with a film's plan, one sentence each. */
export function problemsOf(draft: PlanDraft): string[] {
  const outline = filmOutlineOf(draft);
  return outline === null ? ['The document is not a film of this version.'] : validatePlan(outline);
}

export function withCodeScenes(film: Film, ids: ReadonlySet<string>): Film {
  return {
    ...film,
    scenes: film.scenes.map((scene) => (ids.has(scene.id) ? codeScene(scene.id, outlineOfScene(scene), scene.seconds) : scene)),
  };
}

/** Reads a description as a single scene. Returns `null` if it describes a code scene. */
export type SceneReader = (text: string, film: Film) => FormatScene | null;

/**
 * Applies edits to a film's outline: scenes reordered, retimed, removed, added or reworded. Scenes are matched by id, or by
 * their text if they have none; all others are new. `before` is the outline that was edited.
 */
export function editedFilm(film: Film, before: FilmOutline, edit: FilmOutline, read: SceneReader): Film {
  const lengths = lengthsOf(edit);
  const unmatched = new Map(film.scenes.map((scene) => [scene.id, scene]));
  const outlines = new Map(before.scenes.map((scene) => [sceneIdOf(scene), scene]));
  const pairs = edit.scenes.map((edited) => {
    const id =
      edited.id ??
      before.scenes.find(({ title, description }) => title === edited.title && description === edited.description)?.id ??
      '';
    const scene = unmatched.get(id) ?? null;
    unmatched.delete(id);
    return { edited, scene };
  });
  const taken = new Set(film.scenes.map(({ id }) => id));
  const newId = (edited: Scene) => {
    let id = sceneIdOf(edited);
    for (let number = 1; taken.has(id); number += 1) id = `scene-${number}`;
    taken.add(id);
    return id;
  };
  const next: Film = { ...film, title: edit.title, style: edit.style, aspect: edit.aspect, fps: edit.fps };
  const scenes = pairs.map(({ edited, scene }, index): FilmScene => {
    const seconds = lengths[index] ?? edited.durationSeconds;
    const id = scene?.id ?? newId(edited);
    const old = outlines.get(id);
    const isReworded = scene === null || old === undefined || old.description !== edited.description;
    if (scene !== null && isCode(scene)) return codeScene(id, edited, seconds);
    if (!isReworded) return { ...scene, seconds, ...(old.title === edited.title ? {} : { title: edited.title }) };
    const fresh = read(edited.description, next);
    if (fresh === null) return codeScene(id, edited, seconds);
    const isTitled = edited.title !== (old?.title ?? '');
    return { ...fresh, id, seconds, ...(isTitled ? { title: edited.title } : {}) };
  });
  return { ...next, scenes };
}

/** Removes unknown icons from a film. Leaves a scene unchanged if its icon is required; the page then omits the icon. */
export function withoutUnknownIcons(film: Film): Film {
  return {
    ...film,
    scenes: film.scenes.map((scene) => {
      if (isCode(scene)) return scene;
      const props = formatOf(scene.format)?.props.safeParse(withKnownIcons(scene.props));
      return props?.success ? { ...scene, props: props.data as FormatScene['props'] } : scene;
    }),
  };
}

/**
 * Parses `src/film.json`. Returns `null` if it is not a film of this version. A scene with an unknown format or invalid props
 * becomes a code scene.
 */
export function readFilm(text: string): Film | null {
  const film = filmSchema.safeParse(jsonOrNull(text)).data;
  if (film === undefined) return null;
  const unknown = new Set<string>();
  const scenes = film.scenes.map((scene): FilmScene => {
    if (isCode(scene)) return scene;
    const props = formatOf(scene.format)?.props.safeParse(scene.props);
    if (props?.success) return { ...scene, props: props.data as FormatScene['props'] };
    unknown.add(scene.id);
    return scene;
  });
  return withCodeScenes({ ...film, scenes }, unknown);
}

/** The fields of film versions 1 and 2 that a plan needs. */
const olderFilmSchema = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  title: z.string().trim().min(1).catch('Film'),
  style: styleSchema.catch('smooth'),
  aspect: aspectSchema.catch('16:9'),
  durationSeconds: z.number().min(1).max(maxDurationSeconds),
  fps: z.union([z.literal(30), z.literal(60)]).catch(60),
  scenes: z
    .array(
      z.object({
        id: z
          .string()
          .regex(/^[a-z][a-z0-9-]{0,60}$/)
          .optional(),
        title: z.string().catch(''),
        startSeconds: z.number().min(0).max(maxDurationSeconds),
        durationSeconds: z.number().positive().max(maxDurationSeconds),
        description: z.string().catch(''),
        animationNotes: z.string().catch(''),
      }),
    )
    .min(1)
    .max(maxScenes),
});

/** Returns the plan for a film from an earlier version, with all scenes as code, or `null` if the text is not such a film. */
export function readOlderFilm(text: string): PlanDraft | null {
  const film = olderFilmSchema.safeParse(jsonOrNull(text)).data;
  if (film === undefined) return null;
  const { title, style, aspect, durationSeconds, fps } = film;
  const outline: FilmOutline = {
    title: shorten(title, 80),
    ...{ style, aspect, durationSeconds, fps },
    scenes: film.scenes.map((scene, index) => ({
      ...(scene.id === undefined ? {} : { id: scene.id }),
      number: index + 1,
      title: shorten(scene.title, 80) || `Scene ${index + 1}`,
      startSeconds: scene.startSeconds,
      durationSeconds: scene.durationSeconds,
      description: shorten(scene.description, 1000) || 'No description.',
      animationNotes: shorten(scene.animationNotes, 1000) || 'As in the code.',
    })),
    caveat: null,
  };
  return validatePlan(outline).length === 0 ? planOf(codeFilm(outline, 1)) : null;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schemas reject `null`, so invalid JSON is treated as an invalid document.
    return null;
  }
}
