import type { z } from 'zod';
import type { sqlResponseSchema } from '../model/api.ts';
import type { AppDocument } from '../model/document.ts';
import { Problem } from './problem.ts';
import type { AppState } from './state.ts';

/** Runs a query. @throws {Problem} */
export async function runSql(
  _query: string,
  _document: AppDocument,
  _state: AppState,
): Promise<z.infer<typeof sqlResponseSchema>> {
  throw new Problem(503, 'NOT_READY', 'SQL is not there yet.');
}
