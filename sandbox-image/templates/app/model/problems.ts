import { type AppDocument, documentSchema } from './document.ts';

export function documentProblems(_document: AppDocument): string[] {
  return [];
}

export function readDocument(value: unknown): { document: AppDocument } | { problem: string } {
  const parsed = documentSchema.safeParse(value);
  return parsed.success ? { document: parsed.data } : { problem: parsed.error.message };
}
