import { z } from 'zod';
import { messageParts } from '#contract/attached-text.ts';
import type { Message } from '#contract/project.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { type Confirmation, confirmationText, type Fact } from '#kinds/assistant/contract/confirmation.ts';
import type { ApprovalRequest } from '../../../tools/context.ts';
import { videosToMakeSchema } from '../render-videos.ts';
import type { ActingStudio } from '../studio.ts';
import { surfaceOf, words } from '../surfaces.ts';
import type { CallLabels } from './call-labels.ts';

/** What Koda asks, in its own words, before a call that no button has allowed. */

interface Asked {
  /** Of the call, on one line: “Making 3 videos”. */
  readonly label: string;
  readonly input: unknown;
  readonly labels: CallLabels;
  readonly says: string;
  /** Label of the last button, if it allows a call of this tool. */
  readonly pressed: string | null;
  readonly hasReadUntrusted: boolean;
}

interface Sources {
  readonly studio: Pick<ActingStudio, 'projects' | 'schedules'>;
  readonly messages: readonly Message[];
}

export async function confirmationBefore(
  asked: Asked,
  { studio, messages }: Sources,
): Promise<Pick<ApprovalRequest, 'content' | 'options'>> {
  const [label = asked.label, details] = asked.label.split(/(?<=”): /u);
  const effect = label.replace(/^\w+/u, (verb) => orders[verb] ?? verb);
  const named = [...(await studio.projects()), ...(await studio.schedules())];
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const facts = [...(details === undefined ? [] : [{ name: 'What', value: details }]), ...factsOf(asked, names)];
  const question = `${effect}?`;
  return {
    content: confirmationText({ question, why: reasonFor(asked, fileNames(messages)), facts, says: asked.says }),
    options: [
      { id: 'yes', label: effect },
      { id: 'no', label: 'Do not' },
    ],
  };
}

/** A text of a surface may have 4,000 characters. */
const maxTextCharacters = 4_000;

/** Returns what was asked as a surface, to be read after the answer. */
export function answeredConfirmation(surfaceId: string, { question, why, facts, says }: Confirmation): SurfaceMessages {
  const lines = [why, ...facts.map(({ name, value }) => `${name}: ${value}`), `The assistant says: “${says}”`];
  const parts = lines.map((text, index) => words(`line-${index}`, text.slice(0, maxTextCharacters)));
  return surfaceOf(surfaceId, { title: question, parts, data: {} });
}

const orders: Readonly<Record<string, string>> = {
  Asking: 'Ask',
  Changing: 'Change',
  Making: 'Make',
  Pausing: 'Pause',
  Resuming: 'Resume',
  Running: 'Run',
  Starting: 'Start',
};

const fileNames = (messages: readonly Message[]): string[] => [
  ...new Set(messages.flatMap(({ content }) => messageParts(content).files.map(({ name }) => name))),
];

const maxFiles = 3;

function reasonFor({ hasReadUntrusted, pressed }: Asked, files: readonly string[]): string {
  if (!hasReadUntrusted)
    return pressed === null
      ? 'Koda asks, because no button that you have pressed says this.'
      : `Koda asks, because the button that you have pressed says something else: “${pressed}”.`;
  if (files.length === 0)
    return 'Koda asks, because a page or table that the assistant has read could have asked for this, and not you.';
  const more = files.length > maxFiles ? [`${files.length - maxFiles} more`] : [];
  const named = new Intl.ListFormat('en', { type: 'disjunction' }).format([...files.slice(0, maxFiles), ...more]);
  return `Koda asks, because ${named} could have asked for this, and not you.`;
}

const sent = z.object({
  film: z.string().optional(),
  project: z.string().optional(),
  name: z.string().optional(),
  request: z.string().optional(),
  message: z.string().optional(),
  schedule: z.string().optional(),
  schedules: z.array(z.string()).default([]),
  source: z.object({ columns: z.record(z.string(), z.string()).default({}) }).default({ columns: {} }),
});

/** Returns what is made, changed or sent: the project, the words in full, each video and schedule. `names`: of projects and schedules. */
function factsOf({ input, labels }: Pick<Asked, 'input' | 'labels'>, names: ReadonlyMap<string, string>): Fact[] {
  const { film, project, name, request, message, schedule, schedules = [], source } = sent.safeParse(input).data ?? {};
  const of = film ?? project;
  const changed = schedule === undefined ? schedules : [schedule];
  const known: [name: string, value: string | undefined][] = [
    [film === undefined ? 'Project' : 'Film', of === undefined ? undefined : `“${names.get(of) ?? of}”`],
    ['Name', film === undefined ? name : undefined],
    ['Request', request === undefined ? undefined : `“${request}”`],
    ['Message', message === undefined ? undefined : `“${message}”`],
  ];
  return [
    ...known.flatMap(([title, value]) => (value === undefined ? [] : [{ name: title, value }])),
    ...changed.map((id) => ({ name: 'Schedule', value: `“${names.get(id) ?? id}”` })),
    ...Object.entries(source?.columns ?? {}).map(([parameter, heading]) => ({
      name: labelOf(labels, parameter),
      value: `from the column “${heading}”`,
    })),
    ...videoFacts(videosToMakeSchema.safeParse(input).data?.videos ?? [], labels),
  ];
}

const labelOf = (labels: CallLabels, parameter: string): string =>
  Object.hasOwn(labels, parameter) ? (labels[parameter] ?? parameter) : parameter;

const maxVideos = 10;
const maxCharacters = 500;

function videoFacts(videos: z.output<typeof videosToMakeSchema>['videos'], labels: CallLabels): Fact[] {
  const facts = videos.slice(0, maxVideos).map(({ label, aspect, resolution, fps, format, parameters = {} }) => {
    const settings = [aspect, resolution, fps === undefined ? undefined : `${fps} fps`, format].filter(
      (one) => one !== undefined,
    );
    const values = Object.entries(parameters).map(([parameter, value]) => `${labelOf(labels, parameter)} “${value}”`);
    const text = [...settings, ...values].join(', ') || 'as the film is';
    return { name: label, value: text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text };
  });
  const left = videos.length - facts.length;
  return left > 0 ? [...facts, { name: 'And', value: `${left} more` }] : facts;
}
