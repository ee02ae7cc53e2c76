import { filmOf, lengthOf } from '#contract/film-outline.ts';
import { applyFiles } from '../../tools/apply.ts';
import { checkFailureResult } from '../../tools/checks/check-failure.ts';
import { currentFiles } from '../../tools/code.ts';
import { imageForModel } from '../../tools/images.ts';
import { completed, defineTool, failed, type OwnTool, workPhases } from '../../tools/tool.ts';
import { formatInfos, setScenes } from './set-scenes.ts';

const phases = ['idle', 'question', 'plan', 'executing'] as const;

const listFormatsTool = defineTool('list_formats', {
  category: 'plan',
  risk: 'low',
  timeoutMs: 10_000,
  phases,
  readOnly: true,
  label: () => 'Browsing the formats',
  async run({ id }) {
    const formats = formatInfos();
    if (id === undefined) {
      const list = formats.map(({ id, title, use, avoid }) => ({ id, title, use, avoid }));
      return completed({ formats: list }, `${list.length} formats`);
    }
    const format = formats.find((candidate) => candidate.id === id);
    if (format === undefined)
      return failed('VALIDATION_ERROR', `id: there is no format "${id}". There are: ${formats.map((one) => one.id).join(', ')}.`);
    return completed(format, format.title);
  },
});

const setScenesTool = defineTool('set_scenes', {
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

const checkAnimation = defineTool('check_animation', {
  category: 'preview',
  risk: 'low',
  timeoutMs: 240_000,
  phases: workPhases,
  label: () => 'Checking the code and the frames',
  async run(_input, context) {
    const { problems, warnings, info, contactSheet, failure } = await context.checkAll();
    if (failure?.attempts?.left === 0) return checkFailureResult(failure);
    return completed(
      { ok: problems.length === 0, problems, remarks: warnings, info },
      summaryOf(problems.length, warnings.length),
      contactSheet === null ? undefined : [imageForModel({ mediaType: 'image/jpeg', base64: contactSheet })],
    );
  },
});

function summaryOf(problems: number, warnings: number): string {
  if (problems > 0) return `${problems} problems found`;
  return warnings > 0 ? `The frames look right, with ${warnings} warnings` : 'The frames look right';
}

/** Tools that only films have. */
export const filmTools: readonly OwnTool[] = [listFormatsTool, setScenesTool, checkAnimation];
