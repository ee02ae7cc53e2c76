import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sqlResponseSchema } from '../model/api.ts';
import { storedValue } from '../model/apply.ts';
import type { AppDocument, List } from '../model/document.ts';
import { computedValues } from '../model/formulas.ts';
import { plainValue } from './plain.ts';
import { Problem } from './problem.ts';
import type { SqlRequest, SqlTable } from './sql-process.ts';
import type { AppState } from './state.ts';

const timeLimitMs = 5000;

const messageSchema = z.union([sqlResponseSchema, z.object({ problem: z.string() })]);

/**
 * Runs a query over the lists: a table for each list and a column for each field, by their ids with `_` for `-`, and a column `id`. Choices
 * and relations are names, and yes or no is 1 or 0. At most 5 s and 1,000 rows. @throws {Problem}
 */
export async function runSql(query: string, document: AppDocument, state: AppState): Promise<z.infer<typeof sqlResponseSchema>> {
  const withoutComments = query.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').trimStart();
  if (!/^(select|with|values)\b/i.test(withoutComments)) {
    throw new Problem(422, 'VALIDATION', 'A query begins with SELECT, WITH or VALUES. It cannot change anything.');
  }
  const tables = document.lists.map((list) => tableOf(list, document, state));
  const child = fork(fileURLToPath(new URL('./sql-process.ts', import.meta.url)), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const message = await new Promise<unknown>((resolve, reject) => {
      child.once('message', resolve);
      child.once('error', reject);
      child.once('exit', () => resolve({ problem: 'The query needed too much memory and was stopped.' }));
      timer = setTimeout(() => resolve({ problem: 'The query took longer than 5 s and was stopped.' }), timeLimitMs);
      child.send({ query, tables } satisfies SqlRequest);
    });
    const answer = messageSchema.parse(message);
    if ('problem' in answer) throw new Problem(422, 'VALIDATION', answer.problem);
    return answer;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

const columnName = (id: string): string => id.replaceAll('-', '_');

function tableOf({ id, fields }: List, document: AppDocument, state: AppState): SqlTable {
  const computed = computedValues(document, (list) => state.ordered(list));
  const rows = state.ordered(id).map((record) => [
    record.id,
    ...fields.map((field) => {
      const value = field.type === 'computed' ? computed.value(id, record, field.id) : storedValue(record, field.id);
      return typeof value === 'boolean' ? Number(value) : plainValue(field, value, state, document);
    }),
  ]);
  return { name: columnName(id), columns: ['id', ...fields.map((field) => columnName(field.id))], rows };
}
