import type { Aspect, RenderRequest } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import type { Style } from '#kinds/film/contract/film.ts';
import { reportState } from '../../../cli/act.ts';
import type { CommandContext } from '../../../cli/client.ts';
import { formatUsage } from '../../../cli/output-text.ts';
import { renderAndSave } from '../../../cli/render.ts';
import { untilComplete } from '../../../cli/until-complete.ts';
import { readPrompt, type WordedCorrections } from './reading.ts';

export interface MakeOptions {
  /** Without white space at its ends, as the studio stores it. */
  readonly prompt: string;
  readonly words: WordedCorrections;
  readonly yes: boolean;
  /** Whether to render the final video. */
  readonly final: boolean;
  /** Whether to print the finished project as JSON instead of the video's path. */
  readonly json: boolean;
  readonly out: string | null;
  readonly style: Style | null;
  readonly aspect: Aspect | null;
  readonly durationSeconds: number | null;
  readonly render: RenderRequest;
}

/** Turns a prompt into a video file: shows how it is read, creates the project, handles its approvals, renders the final video and saves it. */
export async function make(options: MakeOptions, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const { prompt, style, aspect, durationSeconds } = options;
  const look = { style, aspect, durationSeconds };
  const seen = await readPrompt(prompt, { words: options.words, hints: look, asks: !options.yes }, context);
  const { fps, resolution } = options.render;
  const video = { ...(fps !== undefined && { fps }), ...(resolution !== undefined && { resolution }) };
  const hints = { ...look, ...(seen.film !== null && seen), ...(Object.keys(video).length > 0 && { video }) };
  const project = await client.call(routes.createProject, { body: { prompt, hints } });
  terminal.note(`Project ${project.id}: ${client.address}/p/${project.id}`);
  try {
    await untilComplete(project.id, { ...options, look: 'Watch it' }, context);
    const video = options.final ? await renderAndSave(project.id, options.render, options.out, context) : null;
    if (options.json) await reportState(project.id, { json: true, video }, context);
    else if (video !== null) terminal.result(video);
  } finally {
    await showUsage(project.id, context);
  }
}

/** Also shown for failed and stopped work, because that costs money too. */
async function showUsage(projectId: string, { client, terminal }: CommandContext): Promise<void> {
  // An unreachable studio must neither turn a finished video into a failure nor hide the cause of an earlier one.
  const snapshot = await client.call(routes.project, { id: projectId }).catch(() => null);
  const used = snapshot === null ? null : formatUsage(snapshot.usage);
  if (used !== null) terminal.note(used);
}
