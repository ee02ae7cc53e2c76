import { type AppDocument, documentSchema } from '../../../../../sandbox-image/templates/app/model/document.ts';
import { journalPath } from '../../../../../sandbox-image/templates/app/model/journal.ts';
import { api } from '../../../api/client.ts';
import type { Idea, NewFile } from '../../../home/start-project.ts';
import { appApi } from '../app-document.ts';
import type { AppPlan } from './plan/plan.ts';

/** Size of the largest file that the studio writes into a project. */
export const mostBytes = 10 * 1024 * 1024;

/** What an app is created from: the person's words, and the document that they have seen. */
export function ideaOf({ document, start }: AppPlan, words: string): Idea {
  const hints = { document, ...(start !== null && { start }) };
  return { kind: 'app', prompt: words, name: document.name, hints };
}

export const journalFile = (content: NewFile['content']): NewFile => ({ path: journalPath, content });

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, sorted(one)]));
};

/** Whether two documents describe the same app, whatever the order of their members. */
export function isSameDocument(one: AppDocument, other: AppDocument): boolean {
  const [first, second] = [one, other].map((document) => JSON.stringify(sorted(documentSchema.parse(document))));
  return first === second;
}

const pauseMs = 250;

/**
 * Accepts a new project's plan as soon as it is proposed, if it is the one that the person has built. Any other plan, for example a
 * model's, waits for the person on the project's page. Throws ApiError.
 */
export async function acceptBuiltPlan(projectId: string, document: AppDocument): Promise<void> {
  for (;;) {
    const { project, approval } = await api.snapshot(projectId);
    if (approval?.type === 'plan') {
      const proposed = await appApi.document(projectId);
      if (isSameDocument(proposed.document, document)) await api.decidePlan(projectId, { action: 'accept' });
      return;
    }
    if (approval !== null || !project.running) return;
    await new Promise((wake) => setTimeout(wake, pauseMs));
  }
}
