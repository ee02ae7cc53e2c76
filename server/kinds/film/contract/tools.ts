import { z } from 'zod';
import { fieldProblem } from './field-problem.ts';
import { codeSceneSchema, filmOutlineSchema, filmSchema, formatSceneSchema, maxScenes, sceneIdSchema } from './film.ts';

const sceneId = sceneIdSchema.optional().describe('none for a new scene');
const formatInputSchema = formatSceneSchema.pick({ title: true, format: true }).extend({
  id: sceneId,
  seconds: formatSceneSchema.shape.seconds.optional().describe('default: the time to read it'),
  props: z.record(z.string(), z.unknown()),
});
const codeInputSchema = codeSceneSchema.extend({
  id: sceneId,
  notes: codeSceneSchema.shape.notes.describe('what moves how'),
  overlapSeconds: codeSceneSchema.shape.overlapSeconds.describe('stays while the next scene enters'),
});

/** Says why a scene is neither of the two kinds: with the problems of the kind that it names. */
function sceneProblem({ input }: { readonly input?: unknown }): string {
  const names = (field: string) => typeof input === 'object' && input !== null && field in input;
  if (!names('format') && !names('code')) return 'needs `format` or `code`';
  const parsed = (names('format') ? formatInputSchema : codeInputSchema).safeParse(input);
  const problems = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${fieldProblem(issue)}`);
  return `is not valid: ${problems.join(', ')}`;
}

/** Inputs of the tools that only films have, by name. */
export const filmToolInputs = {
  list_formats: z.object({ id: sceneIdSchema.optional() }),
  set_scenes: filmSchema
    .pick({ title: true, style: true, theme: true, aspect: true, fps: true, language: true, colors: true, music: true })
    .extend({
      caveat: filmOutlineSchema.shape.caveat.default(null),
      scenes: z
        .array(z.union([formatInputSchema, codeInputSchema], { error: sceneProblem }))
        .min(1)
        .max(maxScenes)
        .describe('all of them, in order'),
    }),
  check_animation: z.object({}),
} as const;
export type SetScenesInput = z.output<typeof filmToolInputs.set_scenes>;

/** Plan as data, as the MCP tool `read_plan` returns it. */
export const planDocumentSchema = z.object({ revision: z.int(), accepted: z.boolean(), film: filmSchema });
export type PlanDocument = z.infer<typeof planDocumentSchema>;

/** Says in a sentence each what is wrong with a film that is set. */
export function filmProblems(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const [top, index, ...rest] = issue.path;
    const place = top === 'scenes' && typeof index === 'number' ? [`scene ${index + 1}`, ...rest] : issue.path;
    return `${place.map(String).join('.') || 'the film'} ${fieldProblem(issue)}.`;
  });
}
