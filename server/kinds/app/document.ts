import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { Chip, PlanDraft, Section } from '#contract/project.ts';
import { type AppDocument, idSchema, type Page, type View } from '../../../sandbox-image/templates/app/model/document.ts';
import type { NewRecord } from '../../../sandbox-image/templates/app/model/journal.ts';
import { documentProblems, readDocument } from '../../../sandbox-image/templates/app/model/problems.ts';
import { recordSchema } from '../../../sandbox-image/templates/app/model/record.ts';
import { countOf } from './words.ts';

/** An app as its plan stores it. */
export interface StoredApp {
  readonly document: AppDocument;
  /** Starting point that it came from, whose sample records are written. */
  readonly start: string | null;
  /** Sample records of an app without a starting point, by list. */
  readonly samples?: Readonly<Record<string, readonly NewRecord[]>>;
  /** Ids of the pages whose file was edited by hand. No edit changes these. */
  readonly opaque: readonly string[];
  /** What the last edits have changed beside what they name. */
  readonly notes: readonly string[];
}

const { notes } = recordSchema.shape;
const sampleSchema = recordSchema.pick({ id: true, values: true }).extend({ notes: notes.unwrap().exactOptional() });
const besideSchema = z.looseObject({
  start: idSchema.nullable().default(null),
  samples: z.record(idSchema, z.array(sampleSchema)).optional(),
  opaque: z.array(z.string()).default([]),
  notes: z.array(z.string()).default([]),
});

export const newApp = (document: AppDocument, start: string | null = null): StoredApp => ({
  document,
  start,
  opaque: [],
  notes: [],
});

/** Returns the plan of an app. `kept`: what stays of the plan before. */
export function planOf(app: StoredApp, kept: Partial<Pick<PlanDraft, 'caveat' | 'change' | 'edited'>> = {}): PlanDraft {
  const { document, start, samples, opaque, notes } = app;
  return {
    title: document.name,
    summary: `${countOf(document.lists.length, 'list')}, ${countOf(document.pages.length, 'page')}`,
    sections: document.pages.map((page) => sectionOf(page, document)),
    chips: chipsOf(document),
    caveat: kept.caveat ?? null,
    document: { ...document, start, ...(samples && { samples }), opaque: [...opaque], notes: [...notes] },
    ...(kept.change !== undefined && { change: kept.change }),
    ...(kept.edited === true && { edited: true }),
  };
}

/** Returns a plan's app, or `null` if this version of Koda cannot read it. */
export function appOf({ document: stored }: Pick<PlanDraft, 'document'>): StoredApp | null {
  const read = readDocument(stored);
  const beside = besideSchema.safeParse(stored);
  if ('problem' in read || !beside.success) return null;
  const { start, samples, opaque, notes } = beside.data;
  return { document: read.document, start, ...(samples && { samples }), opaque, notes };
}

/** Returns a plan's app. Throws NOT_FOUND if this version of Koda cannot read it. */
export function readableApp(plan: Pick<PlanDraft, 'document'>): StoredApp {
  const app = appOf(plan);
  if (app !== null) return app;
  throw new KodaError('NOT_FOUND', 'This project has no app that this version of Koda can read.', { recovery: 'list_projects' });
}

/** Returns what is wrong with a plan, one sentence each. */
export function problemsOf({ document: stored }: Pick<PlanDraft, 'document'>): string[] {
  const read = readDocument(stored);
  return 'problem' in read ? [read.problem] : documentProblems(read.document);
}

/** Returns the document in the text of `src/app.json`, or `null` if it contains none. */
export function documentIn(text: string | null): AppDocument | null {
  if (text === null) return null;
  try {
    const read = readDocument(JSON.parse(text));
    return 'problem' in read ? null : read.document;
  } catch {
    // A file that is no JSON contains no document.
    return null;
  }
}

export function chipsOf({ lists, pages, theme }: Pick<AppDocument, 'lists' | 'pages' | 'theme'>): Chip[] {
  return [
    { id: 'lists', label: countOf(lists.length, 'list'), title: 'Lists' },
    { id: 'pages', label: countOf(pages.length, 'page'), title: 'Pages' },
    { id: 'theme', label: theme, title: 'Theme' },
  ];
}

const maxDescriptionCharacters = 1000;

function sectionOf({ id, name, views }: Page, document: AppDocument): Section {
  const description = views.map((view) => descriptionOf(view, document)).join(' ');
  return { id, title: name, description: description.slice(0, maxDescriptionCharacters) };
}

/** Describes a view in a sentence: “A table of tools by kind.” */
export function descriptionOf(view: View, document: AppDocument): string {
  const list = 'list' in view ? document.lists.find(({ id }) => id === view.list) : undefined;
  const records = (list?.name ?? 'records').toLowerCase();
  const field = (id: string | undefined) => (list?.fields.find((one) => one.id === id)?.name ?? id ?? '').toLowerCase();
  switch (view.view) {
    case 'table':
      return view.group === undefined ? `A table of ${records}.` : `A table of ${records} by ${field(view.group)}.`;
    case 'board':
      return `A board of ${records} by ${field(view.columns)}.`;
    case 'calendar':
      return `A calendar of ${records} by ${field(view.start)}.`;
    case 'cards':
      return `Cards of ${records}.`;
    case 'detail':
      return `A list of ${records} with the chosen one beside it.`;
    case 'sheet':
      return `One of the ${records} at a time.`;
    case 'form':
      return `A form for ${records} with ${countOf(view.ask.length, 'question')}.`;
    case 'dashboard':
      return `An overview of ${records} with ${countOf(view.figures.length, 'figure')} and ${countOf(view.charts.length, 'chart')}.`;
    case 'code':
      return `“${view.title ?? view.entry}”, written in code.`;
  }
}
