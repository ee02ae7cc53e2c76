import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { SqliteProjectStore } from '../../../server/storage/project-store.ts';
import { testPerson } from '../../fixtures/storage.ts';

const line = 'const progress = interpolate(seconds, [start, start + 0.6], [0, 1], easeOutBack);\n';
const linesOfAFile = 250;
/** Interval in milliseconds at which collected events are recorded. */
const everyMs = 20;

/** Records a busy agent's events, `rate` per second. */
export async function workOfAnAgent(
  store: SqliteProjectStore,
  projectId: string,
  options: { readonly events: number; readonly rate: number; readonly runId: string },
): Promise<void> {
  await store.record(projectId, [{ type: 'run.started', runId: options.runId }], { by: testPerson });
  const startedAtMs = performance.now();
  let sent = 0;
  while (sent < options.events) {
    const due = Math.min(options.events, Math.ceil(((performance.now() - startedAtMs) / 1000) * options.rate));
    if (due > sent)
      await store.record(
        projectId,
        Array.from({ length: due - sent }, (_, index) => eventAt(sent + index)),
        { by: testPerson },
      );
    sent = Math.max(sent, due);
    await sleep(everyMs);
  }
  await store.record(projectId, [{ type: 'run.finished', runId: options.runId, outcome: 'completed' }], { by: testPerson });
}

/** Out of a hundred events, 69 are code, 20 tool calls, 10 thoughts and one is a message. */
function eventAt(index: number): EventBody {
  const kind = index % 100;
  const call = `call-${Math.floor(index / 10)}`;
  if (kind % 10 === 0)
    return { type: 'tool.started', callId: call, name: 'sandbox_write_file', summary: `src/Scene${index}.tsx` };
  if (kind % 10 === 9) {
    return { type: 'tool.finished', callId: call, name: 'sandbox_write_file', durationMs: 120, summary: 'Written', error: null };
  }
  if (kind % 10 === 5) return { type: 'thinking', text: `Writing scene ${index}` };
  if (kind === 1) {
    const at = new Date().toISOString();
    const content = `Scene ${index} bounces now, and settles more softly.`;
    return { type: 'message.added', message: { id: newId('msg'), role: 'assistant', content, queued: false, at } };
  }
  const chunk = index % linesOfAFile;
  return { type: 'code.chunk', path: 'src/App.tsx', text: line, offset: chunk * line.length };
}
