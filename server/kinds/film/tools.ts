import { z } from 'zod';
import { filmOutlineSchema } from '#kinds/film/contract/film.ts';
import { filmOf, lengthOf } from '#kinds/film/contract/outline.ts';
import { filmProblems, filmToolInputs } from '#kinds/film/contract/tools.ts';
import { applyFiles } from '../../tools/apply.ts';
import { checkFailureResult } from '../../tools/checks/check-failure.ts';
import { currentFiles, remarksOf } from '../../tools/code.ts';
import { planTools } from '../../tools/communication.ts';
import { sheetImages } from '../../tools/images.ts';
import { completed, defineKindTool, descriptionsIn, failed, type OwnTool, workPhases } from '../../tools/tool.ts';
import { coerceFilm } from './document/coerce.ts';
import { setScenes } from './document/set-scenes.ts';
import { formatOf, formats } from './formats/catalogue.ts';
import { formatCatalogue } from './formats/format-list.ts';
import { notation, signatureOf } from './formats/signature.ts';

const descriptionOf = descriptionsIn(new URL('./tools.md', import.meta.url));
const declared = <Name extends keyof typeof filmToolInputs>(name: Name) => ({
  input: filmToolInputs[name],
  description: descriptionOf(name),
});

const phases = ['idle', 'question', 'plan', 'executing'] as const;

export const listFormats = defineKindTool('list_formats', declared('list_formats'), {
  category: 'plan',
  risk: 'low',
  timeoutMs: 10_000,
  phases,
  readOnly: true,
  label: () => 'Browsing the formats',
  async run({ id }) {
    if (id === undefined) return completed({ formats: formatCatalogue() }, `${formats.length} formats`);
    const format = formatOf(id);
    if (format === null)
      return failed('VALIDATION_ERROR', `id: there is no format "${id}". There are: ${formats.map((one) => one.id).join(', ')}.`);
    const { title, use, avoid, props, example } = format;
    return completed({ id, title, use, avoid, fields: signatureOf(props), notation, example }, title);
  },
});

const strictSetScenes = defineKindTool('set_scenes', declared('set_scenes'), {
  category: 'code',
  risk: 'low',
  timeoutMs: 60_000,
  phases,
  label: ({ scenes }) => (scenes.length === 1 ? 'Setting the scene' : `Setting ${scenes.length} scenes`),
  async run(input, context) {
    const { plan: before, assets } = await context.project();
    const files = before?.accepted === true ? await currentFiles((await context.sandbox()).sandbox, context.signal) : null;
    const set = setScenes(input, { projectId: context.projectId, plan: before, assets, files });
    if ('problems' in set)
      return failed(
        'VALIDATION_ERROR',
        `Nothing was changed: ${set.problems.join(' ')} Correct these problems, then call it again.`,
        {
          problems: set.problems,
        },
      );
    const { plan, files: written, deleted, notes } = set;
    await applyFiles(context, [...written, ...deleted.map((path) => ({ path, content: null }))]);
    await context.updatePlan(plan);
    const film = filmOf(plan);
    const scenes = (film?.scenes ?? []).map((scene, index) => ({
      number: index + 1,
      id: scene.id,
      ...('code' in scene ? { code: true } : { format: scene.format }),
      seconds: scene.seconds,
    }));
    const seconds = film === null ? 0 : lengthOf(film);
    const output = { scenes, duration_seconds: seconds, files: written.map(({ path }) => path), deleted, notes };
    return completed(output, `${seconds} s in ${scenes.length === 1 ? 'one scene' : `${scenes.length} scenes`}`);
  },
});

/** Sets the scenes after correcting the slips of the model that calls it. */
export const setScenesTool: OwnTool = {
  ...strictSetScenes,
  label: (input) => strictSetScenes.label(coerceFilm(input).value),
  async call(input, context) {
    const { value, notes } = coerceFilm(input);
    const parsed = filmToolInputs.set_scenes.safeParse(value);
    if (!parsed.success) {
      const problems = filmProblems(parsed.error);
      const message = `Nothing was changed: ${problems.join(' ')} Correct these problems, then call it again.`;
      return failed('VALIDATION_ERROR', message, { problems, notes });
    }
    const result = await strictSetScenes.call(value, context);
    if (result.status !== 'completed' || notes.length === 0) return result;
    const output = result.output as { readonly notes: readonly string[] };
    return { ...result, output: { ...output, notes: [...notes, ...output.notes] } };
  },
};

export const checkAnimation = defineKindTool('check_animation', declared('check_animation'), {
  category: 'preview',
  risk: 'low',
  timeoutMs: 240_000,
  phases: workPhases,
  label: () => 'Checking the code and the frames',
  async run(_input, context) {
    const { problems, info, contactSheet, failure, ...report } = await context.checkAll();
    const remarks = remarksOf(report);
    if (failure?.attempts?.left === 0) return checkFailureResult(failure, contactSheet);
    return completed(
      { ok: problems.length === 0, problems, remarks, info: filmFacts.safeParse(info).data ?? null },
      summaryOf(problems.length, remarks.length),
      sheetImages(contactSheet),
    );
  },
});

/** What a model needs of the page's report. Its parameters are those that the code declares. */
const filmFacts = z.object({
  durationSeconds: z.number(),
  fps: z.number(),
  scenes: z.array(z.object({ id: z.string(), startSeconds: z.number(), durationSeconds: z.number() })),
});

function summaryOf(problems: number, warnings: number): string {
  if (problems > 0) return `${problems} problems found`;
  return warnings > 0 ? `The frames look right, with ${warnings} warnings` : 'The frames look right';
}

/** Tools that only films have. */
export const filmTools: readonly OwnTool[] = [listFormats, setScenesTool, checkAnimation, ...planTools(filmOutlineSchema)];
