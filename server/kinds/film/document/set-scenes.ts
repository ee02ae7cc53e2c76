import type { z } from 'zod';
import type { Asset, Plan, PlanDraft } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode } from '#contract/tools.ts';
import { fieldProblem } from '#kinds/film/contract/field-problem.ts';
import { type Film, type FilmScene, type FormatScene, filmSchema, scenePath } from '#kinds/film/contract/film.ts';
import { filmOf, isCode } from '#kinds/film/contract/outline.ts';
import type { SetScenesInput } from '#kinds/film/contract/tools.ts';
import type { SourceFile } from '../../../projects/assignment.ts';
import { assetsOf, seedOf } from '../author/author.ts';
import { iconsIn, knownIcon, similarIcons } from '../author/icons.ts';
import { formatOf } from '../formats/catalogue.ts';
import { outlineOfScene, planOf, problemsOf, withCodeScenes, withoutUnknownIcons } from './document.ts';
import { FilmFiles } from './film-files.ts';
import { listPath, printFilm } from './print.ts';

/** Films with format and code scenes, as set by a language model. */

type SceneInput = SetScenesInput['scenes'][number];

/** Result of setting a film's scenes. `problems` describe what is wrong with each field. */
type ScenesSet =
  | { readonly problems: readonly string[] }
  | {
      readonly plan: PlanDraft;
      /** Generated files, which are written once the plan is accepted. */
      readonly files: readonly SourceFile[];
      readonly deleted: readonly string[];
      /** Sentences about where the film differs from the input. */
      readonly notes: readonly string[];
    };

/**
 * Validates the film and returns the resulting plan and files. Hand-edited scenes stay code scenes. `files`: the current files;
 * `null` before the plan is accepted.
 */
export function setScenes(
  input: SetScenesInput,
  {
    projectId,
    plan,
    assets,
    files,
  }: { projectId: string; plan: Plan | null; assets: readonly Asset[]; files: readonly SourceFile[] | null },
): ScenesSet {
  const stored = plan === null ? null : filmOf(plan);
  const problems: string[] = [];
  const uploads = assetsOf(assets);
  const asked: FilmScene[] = withIds(input.scenes, stored).map((scene, index) => {
    const place = `Scene ${index + 1}`;
    if (scene.id !== scene.given && scene.given !== null)
      problems.push(`${place}: there is no scene "${scene.given}"; leave the id of a new scene out.`);
    if ('code' in scene.input) return { ...scene.input, id: scene.id };
    problems.push(...fieldProblems(scene.input, uploads).map((problem) => `${place}, ${problem}`));
    const { format, props, title, seconds } = scene.input;
    return {
      id: scene.id,
      seconds: seconds ?? naturalSeconds(format, props),
      ...(title === undefined ? {} : { title }),
      format,
      props,
    };
  });
  if (input.music !== null && !uploads.some(({ path, kind }) => kind === 'audio' && path === input.music))
    problems.push('music: there is no such upload.');
  if (problems.length > 0) return { problems };

  const { caveat, ...look } = input;
  const parsed = filmSchema.safeParse({ version: 3, ...look, seed: stored?.seed ?? seedOf(projectId), scenes: asked });
  if (!parsed.success) return { problems: parsed.error.issues.map(problemText) };
  const film = withoutUnknownIcons(parsed.data);
  const reasons = [...problemsOf(planOf(film, { caveat })), ...requiredIconProblems(film)];
  if (reasons.length > 0) return { problems: reasons };
  const notes = unknownIconNotes(asked);
  if (files === null || stored === null) return { plan: planOf(film, { caveat }), files: [], deleted: [], notes };
  return followed(stored, film, { caveat, files, notes });
}

function followed(
  stored: Film,
  asked: Film,
  { caveat, files, notes }: { caveat: string | null; files: readonly { path: string; content: string }[]; notes: string[] },
): ScenesSet {
  // The model has turned a code scene into a format scene, so the scene's file is replaced.
  const codeBefore = new Set(stored.scenes.filter(isCode).map(({ id }) => scenePath(id)));
  const replaced = new Set(asked.scenes.flatMap((scene) => (isCode(scene) ? [] : [scenePath(scene.id)])));
  const known = files.filter(({ path }) => !(codeBefore.has(path) && replaced.has(path)));
  const filmFiles = new FilmFiles(known, [stored, asked]);
  const edited = filmFiles.editedByHand(stored);
  const ids = new Set(edited.map(({ id }) => id));
  const film = withCodeScenes(asked, ids);
  const { files: written, deleted, blocked } = filmFiles.changesFor(withCodeScenes(stored, ids), film);
  if (blocked !== null)
    return {
      problems: [`${blocked} was written by someone else, and the film needs it: change the code instead of the scenes.`],
    };
  const kept = edited.map((scene) => `“${outlineOfScene(scene).title}” (${scene.id}) was edited by hand and stays a code scene.`);
  return { plan: planOf(film, { caveat }), files: written, deleted, notes: [...notes, ...kept] };
}

interface IdentifiedScene {
  readonly input: SceneInput;
  /** Id supplied by the model, or `null`. */
  readonly given: string | null;
  readonly id: string;
}

/** Gives a new scene the id `scene-<number>`, which is the file name that the code generator uses. */
function withIds(scenes: readonly SceneInput[], stored: Film | null): IdentifiedScene[] {
  const existing = new Set(stored?.scenes.map(({ id }) => id));
  const taken = new Set(scenes.flatMap(({ id }) => (id !== undefined && existing.has(id) ? [id] : [])));
  return scenes.map((input, index) => {
    const given = input.id ?? null;
    if (given !== null && existing.has(given)) return { input, given, id: given };
    let number = index + 1;
    while (taken.has(`scene-${number}`)) number += 1;
    const id = `scene-${number}`;
    taken.add(id);
    return { input, given, id };
  });
}

/** Returns what is wrong with a scene's format and fields, one sentence for each field. */
export function fieldProblems(
  { format, props }: Pick<FormatScene, 'format' | 'props'>,
  uploads: readonly { path: string }[],
): string[] {
  const known = formatOf(format);
  if (known === null) return [`format: there is no "${format}"; list_formats lists them all.`];
  const parsed = known.props.safeParse(props);
  if (!parsed.success) {
    // Reports only the first problem of each field.
    const byField = Map.groupBy(parsed.error.issues, ({ path }) => path.join('.'));
    return [...byField.values()].flatMap(([issue]) => (issue === undefined ? [] : [problemText(issue)]));
  }
  const missing = imagesIn(props).filter((image) => !uploads.some(({ path }) => path === image));
  return [
    ...unknownFields(props, parsed.data, []).map((field) => `${field}: ${known.title} has no such field.`),
    ...missing.map((image) => `${image}: there is no such upload.`),
  ];
}

const problemText = (issue: z.core.$ZodIssue): string =>
  `${issue.path.map(String).join('.') || 'fields'}: ${fieldProblem(issue)}.`;

/** Returns the fields that a schema has dropped. */
function unknownFields(given: unknown, known: unknown, path: readonly string[]): string[] {
  if (typeof given !== 'object' || given === null || typeof known !== 'object' || known === null) return [];
  return Object.entries(given).flatMap(([key, inner]) =>
    Object.hasOwn(known, key) ? unknownFields(inner, Reflect.get(known, key), [...path, key]) : [[...path, key].join('.')],
  );
}

function imagesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('/assets/') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(imagesIn) : [];
}

function unknownIconNotes(scenes: readonly FilmScene[]): string[] {
  const props = scenes.map((scene) => (isCode(scene) ? null : scene.props));
  return iconsIn(props).flatMap((name) => (knownIcon(name) ? [] : [`The icon ${name} does not exist, so it was left out.`]));
}

/** Describes the unknown icons that a scene cannot do without, such as those of a story's actors. */
export function requiredIconProblems({ scenes }: Film): string[] {
  return scenes.flatMap((scene, index) =>
    iconsIn(isCode(scene) ? null : scene.props)
      .filter((name) => !knownIcon(name))
      .map((name) => {
        const similar = similarIcons(name);
        const hint = similar.length === 0 ? 'Choose one with a common word as its name' : `Similar icons: ${similar.join(', ')}`;
        return `Scene ${index + 1}: there is no icon ${name}. ${hint}.`;
      }),
  );
}

function naturalSeconds(format: string, props: FormatScene['props']): number {
  const known = formatOf(format);
  const parsed = known?.props.safeParse(props);
  return known != null && parsed?.success ? Math.max(1.5, Math.ceil(known.seconds(parsed.data) * 10) / 10) : 1.5;
}

/** While a film with formats is being created, the model writes only the code scenes and Koda generates the rest. */
export function withPrinted(
  generated: GeneratedCode,
  { task, plan, files }: { task: GenerateCodeTask; plan: Plan | null; files: readonly SourceFile[] },
): GeneratedCode {
  const film = plan === null ? null : filmOf(plan);
  if (task.task !== 'create_scene' || film === null || film.scenes.every(isCode)) return generated;
  const printed = new Set(printFilm(film).map(({ path }) => path));
  const own = generated.files.filter(({ path }) => !printed.has(path));
  const list = new FilmFiles([...files, ...own], []).printed(film).filter(({ path }) => path === listPath);
  return { ...generated, files: [...own, ...list], deleted: generated.deleted.filter((path) => !printed.has(path)) };
}
