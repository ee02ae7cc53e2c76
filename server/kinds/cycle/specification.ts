import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { PlanDraft } from '#contract/project.ts';
import { specificationPath, specificationProblem } from '#kinds/cycle/contract/cycle.ts';
import type { ReadText } from '../../projects/kind.ts';

/** The document of a cycle. It never changes: later requests are messages. */
const cycleDocumentSchema = z.object({ version: z.literal(1), specification: z.string().min(1) });

const maxSections = 100;
const titleCharacters = 80;
const descriptionCharacters = 1000;

/** Returns the specification of a plan. Throws INVALID_PLAN if a newer version of Koda wrote it. */
export function specificationOf({ document }: Pick<PlanDraft, 'document'>): string {
  const parsed = cycleDocumentSchema.safeParse(document);
  if (parsed.success) return parsed.data.specification;
  throw new KodaError('INVALID_PLAN', 'This cycle was made by a newer version of Koda. Update Koda to continue it.', {
    cause: parsed.error,
  });
}

export function documentProblems(draft: PlanDraft): string[] {
  const parsed = cycleDocumentSchema.safeParse(draft.document);
  return parsed.success ? [] : [z.prettifyError(parsed.error)];
}

/** Returns the plan that an archive's specification is. Throws VALIDATION_ERROR if it is unusable. */
export async function planInArchive(read: ReadText, { name }: { name: string }): Promise<PlanDraft> {
  const specification = await read(specificationPath);
  const problem = specification === null ? 'it is missing or too large' : specificationProblem(specification);
  if (specification === null || problem !== null) {
    throw new KodaError(
      'VALIDATION_ERROR',
      `The archive was not imported: ${specificationPath} cannot be used, because ${problem}.`,
      {
        details: { field: 'file' },
        recovery: 'send_other_file',
      },
    );
  }
  return planOfSpecification(specification, { name });
}

export function planOfSpecification(specification: string, { name }: { name: string }): PlanDraft {
  const parts = partsOf(specification);
  const listed = parts.slice(0, maxSections);
  return {
    title: clip(name, titleCharacters),
    summary: parts.length === 1 ? '1 section' : `${parts.length} sections`,
    sections: listed.map(({ title, text }, index) => ({
      id: `section-${index + 1}`,
      title: clip(title, titleCharacters),
      description: clip(text === '' ? title : text, descriptionCharacters),
    })),
    caveat: parts.length > maxSections ? `The outline lists the first ${maxSections} sections.` : null,
    document: { version: 1, specification },
  };
}

interface Part {
  readonly title: string;
  readonly text: string;
}

/** Splits a specification at its headings. Text before the first one belongs to no section, unless there is no heading. */
function partsOf(specification: string): Part[] {
  const parts: { title: string; lines: string[] }[] = [];
  let fence: string | null = null;
  for (const line of specification.split(/\r\n|[\r\n]/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (mark !== null && fence === null) fence = mark;
    else if (mark !== null && fence !== null && mark.startsWith(fence)) fence = null;
    const title = fence === null ? headingIn(line) : null;
    if (title === null) parts.at(-1)?.lines.push(line);
    else parts.push({ title, lines: [] });
  }
  if (parts.length === 0) return [{ title: 'Specification', text: specification.trim() }];
  return parts.map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }));
}

function headingIn(line: string): string | null {
  const [, marks, rest = ''] = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) ?? [];
  if (marks === undefined) return null;
  const title = rest
    .trim()
    .replace(/[ \t]#+$/, '')
    .trim();
  return title === '' ? null : title;
}

function clip(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Removes half of a surrogate pair.
  return `${text.slice(0, characters - 1).replace(/\p{Cs}$/u, '')}…`;
}
