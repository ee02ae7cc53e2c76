import { applyFiles } from './apply.ts';
import { currentFiles } from './code.ts';
import { completed, defineTool, failed } from './tool.ts';

const phases = ['idle', 'question', 'plan', 'executing'] as const;

export const listFormats = defineTool('list_formats', {
  category: 'plan',
  risk: 'low',
  timeoutMs: 10_000,
  phases,
  readOnly: true,
  label: () => 'Browsing the formats',
  async run({ id }, context) {
    const formats = await context.formats();
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

export const setScenes = defineTool('set_scenes', {
  category: 'code',
  risk: 'low',
  timeoutMs: 60_000,
  phases,
  label: ({ scenes }) => (scenes.length === 1 ? 'Setting the scene' : `Setting ${scenes.length} scenes`),
  async run(input, context) {
    const set = await context.setScenes(input, async () => currentFiles((await context.sandbox()).sandbox, context.signal));
    if ('problems' in set)
      return failed('VALIDATION_ERROR', `Nothing was changed: ${set.problems.join(' ')} Correct these and call it again.`, {
        problems: set.problems,
      });
    const { plan, files, deleted, notes } = set;
    await applyFiles(context, [...files, ...deleted.map((path) => ({ path, content: null }))]);
    await context.updatePlan(plan);
    const scenes = (plan.film?.scenes ?? []).map((scene, index) => ({
      number: index + 1,
      id: scene.id,
      ...('code' in scene ? { code: true } : { format: scene.format }),
      seconds: scene.seconds,
    }));
    const output = { scenes, duration_seconds: plan.durationSeconds, files: files.map(({ path }) => path), deleted, notes };
    return completed(output, `${plan.durationSeconds} s in ${scenes.length === 1 ? 'one scene' : `${scenes.length} scenes`}`);
  },
});
