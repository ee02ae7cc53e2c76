import { z } from 'zod';
import { createProjectRequestSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import { stateSchema } from '#contract/mcp-results.ts';
import type { FilmHints } from '#kinds/film/contract/film.ts';
import { correctionOf, correctionSchema, readingRequestSchema, spanStateSchema } from '#kinds/film/contract/reading.ts';
import { filmToolInputs } from '#kinds/film/contract/tools.ts';
import { mayCreateProjects } from '../../access/policies.ts';
import type { KindMcp } from '../../mcp/server.ts';
import { settledState, stateOf } from '../../mcp/state.ts';
import { callProjectTool, defineMcpTool, defineProjectTool, offerTool, type ToolCall } from '../../mcp/tool.ts';
import { wait } from '../../mcp/tools/projects.ts';
import { describeFormats } from './formats/format-list.ts';
import { plannedFilm } from './http/planned-film.ts';
import { readWithoutBlocking } from './http/reading-thread.ts';
import { filmKind } from './kind.ts';
import { checkAnimation, listFormats, setScenesTool } from './tools.ts';

const corrections = z
  .array(z.object({ words: z.string().min(1).describe('as they stand in the prompt'), use: correctionSchema.shape.use }))
  .max(50)
  .default([])
  .describe('what some words of the prompt are for, if Koda reads them otherwise (read_request)');

const correctionsOf = (prompt: string, given: z.output<typeof corrections>) =>
  given.map(({ words, use }) => correctionOf(prompt.trim(), words, use));

const readPrompt = (prompt: string, given: z.output<typeof corrections>, hints: Partial<FilmHints> = {}) =>
  readWithoutBlocking(readingRequestSchema.parse({ text: prompt.trim(), hints, corrections: correctionsOf(prompt, given) }));

/** Returns what a corrected film is created with. */
async function seenHints(
  prompt: string,
  given: z.output<typeof corrections>,
  { style = null, aspect = null, durationSeconds = null }: { readonly [Hint in keyof FilmHints]?: FilmHints[Hint] | undefined },
) {
  const hints = { style, aspect, durationSeconds };
  const { film } = await readPrompt(prompt, given, hints);
  return { ...hints, ...(film && { film }), corrections: correctionsOf(prompt, given) };
}

const readRequest = defineMcpTool({
  name: 'read_request',
  title: 'Read a request',
  description:
    'Returns how Koda reads a prompt, and makes nothing: what each of its words does, and the scenes that follow. If words are shown or left out wrongly, call it again with corrections, and then make_film with the same ones.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({ prompt: createProjectRequestSchema.shape.prompt, corrections }),
  output: z.object({
    reading: z.array(
      z.object({
        words: z.string(),
        state: spanStateSchema,
        role: z.string().nullable(),
        scene: z.int().nullable().describe('number of the scene that shows the words'),
        sets: z.string().nullable().describe('what an instruction sets'),
      }),
    ),
    film: z.looseObject({}).nullable(),
    needs_drawing: z.array(z.string()).describe('words that no format can draw'),
  }),
  async run({ prompt, corrections: given }) {
    const { spans, film, drawing } = await readPrompt(prompt, given);
    const text = prompt.trim();
    const reading = spans.map(({ start, end, state, role, scene, sets }) => {
      return { words: text.slice(start, end), state, role, scene, sets: sets === null ? null : `${sets.look}: ${sets.value}` };
    });
    return { output: { reading, film: film && { ...film }, needs_drawing: drawing?.words ?? [] } };
  },
});

const makeFilm = defineMcpTool({
  name: 'make_film',
  title: 'Make a film',
  description:
    'Creates a project and makes a film in it: from a sentence, which Koda plans, or from a whole film of formats (list_formats), which needs no model. With a film, the plan is accepted unless accept is false. Renders nothing: call render once the phase is preview or complete.',
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: createProjectRequestSchema.pick({ name: true }).extend({
    style: filmToolInputs.set_scenes.shape.style.optional(),
    aspect: filmToolInputs.set_scenes.shape.aspect.optional(),
    prompt: createProjectRequestSchema.shape.prompt.optional().describe('what the film shows; not needed with film'),
    duration_seconds: z.number().positive().max(600).optional(),
    corrections,
    film: filmToolInputs.set_scenes.optional().describe('the whole film, as in set_scenes'),
    accept: z.boolean().default(true).describe('with film: whether to accept its plan at once'),
    wait,
  }),
  output: stateSchema,
  async run({ film, accept, wait: waits, ...request }, call) {
    if (!mayCreateProjects(call.caller))
      throw new KodaError('FORBIDDEN', 'This token is for some projects alone, so it cannot create others.', {
        recovery: 'use_other_token',
      });
    const prompt = request.prompt ?? film?.title;
    if (prompt === undefined)
      throw new KodaError('VALIDATION_ERROR', 'Set prompt, film, or both.', { details: { field: 'prompt' } });
    const { name = film?.title, style, aspect, duration_seconds: durationSeconds } = request;
    const look = { style, aspect, durationSeconds };
    const isCorrected = film === undefined && request.corrections.length > 0;
    const { id } = await call.studio.commands.create({
      ...{ kind: filmKind.id, prompt, name },
      ...(isCorrected ? { hints: await seenHints(prompt, request.corrections, look) } : look),
      start: film === undefined,
    });
    if (film !== undefined) await setFilm(call, id, { film, accept });
    return { output: waits ? await settledState(call, id) : await stateOf(call, id) };
  },
});

/** Makes the film the plan of a new project. A film with problems leaves no project behind. */
async function setFilm(call: ToolCall, id: string, { film, accept }: { film: unknown; accept: boolean }): Promise<void> {
  const { commands, removeProject } = call.studio;
  try {
    await callProjectTool(call, id, { name: setScenesTool.name, input: film });
    await commands.propose(id);
  } catch (error) {
    await removeProject(id);
    throw error;
  }
  if (accept) await commands.decidePlan(id, { action: 'accept' });
}

const readPlan = defineProjectTool({
  name: 'read_plan',
  title: 'Read the plan',
  description: 'Returns the film as data: its look and its scenes, each with its format and fields or in code.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({}),
  output: z.object({
    revision: z.int(),
    accepted: z.boolean(),
    film: z.looseObject({}),
    unused_words: z.array(z.string()).describe('words of the request that no scene shows'),
  }),
  async run(id, _input, { studio }) {
    const { plan, revision, film, unused } = plannedFilm(await studio.store.state(id));
    return { output: { revision, accepted: plan.accepted, film: { ...film }, unused_words: unused?.words ?? [] } };
  },
});

const listFormatsTool = defineMcpTool({
  name: 'list_formats',
  title: 'List formats',
  description: listFormats.description,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({ id: z.string().max(61).optional() }),
  output: z.object({
    formats: z.array(
      z.object({
        ...{ id: z.string(), title: z.string(), use: z.string(), avoid: z.string() },
        schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of its fields, if id is set'),
        example: z.unknown().optional(),
      }),
    ),
  }),
  async run({ id }) {
    const formats = describeFormats();
    if (id === undefined) return { output: { formats: formats.map(({ id, title, use, avoid }) => ({ id, title, use, avoid })) } };
    const format = formats.find((one) => one.id === id);
    if (format === undefined)
      throw new KodaError(
        'NOT_FOUND',
        `There is no format "${id}". The formats are: ${formats.map((one) => one.id).join(', ')}.`,
      );
    const { title, use, avoid, schema, example } = format;
    return { output: { formats: [{ id, title, use, avoid, schema, example }] } };
  },
});

const setScenes = offerTool(setScenesTool, {
  ...{ name: 'set_scenes', title: 'Set the scenes', idempotent: true },
  output: z.object({
    scenes: z.array(z.looseObject({ number: z.int(), id: z.string(), seconds: z.number() })),
    duration_seconds: z.number(),
    files: z.array(z.string()),
    deleted: z.array(z.string()),
    notes: z.array(z.string()),
  }),
});

const checkFilm = offerTool(checkAnimation, {
  ...{ name: 'check_film', title: 'Check the film', idempotent: true },
  output: z.object({ ok: z.boolean(), problems: z.array(z.string()), remarks: z.array(z.string()), info: z.unknown() }),
});

export const filmMcp: KindMcp = {
  instructions:
    'Koda makes films in a sandbox. make_film creates one from a sentence or from formats (list_formats); continue with accept_plan, send_feedback and accept_preview, then call render for the video. Use the file and command tools on the film’s code only while Koda is not writing it.',
  tools: [
    { after: 'list_projects', tools: [readRequest, makeFilm] },
    { after: 'answer_question', tools: [readPlan] },
    { after: 'stop_project', tools: [listFormatsTool, setScenes, checkFilm] },
  ],
  views: [
    {
      uri: 'ui://koda/film.html',
      name: 'film-view',
      title: 'Film',
      description: 'Shows a film’s storyboard, live preview and video',
      page: 'mcp-app.html',
      tools: ['make_film', 'show_project', 'accept_plan', 'change_plan', 'answer_question', 'send_feedback', 'preview', 'render'],
    },
  ],
};
