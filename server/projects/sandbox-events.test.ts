import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { PreviewStatus } from '#contract/sandbox/answers.ts';
import { newProject, tempStores } from '../../test/fixtures/storage.ts';
import { createSandboxReporter } from './sandbox-events.ts';

const running: PreviewStatus = { state: 'running', port: 1, log: 'ready', problems: [], revision: 1 };

it('G12: records what breaks the live preview once, and that it works again', async () => {
  using stores = tempStores();
  const { projects } = stores;
  const { id } = await projects.create(newProject());
  const reporter = createSandboxReporter({ store: projects, previewUrl: () => 'http://p', log: pino({ level: 'silent' }) });
  const seq = async () => (await projects.state(id)).seq;
  const report = async (status: PreviewStatus, expected: string | null) => {
    reporter.onPreview(id, status);
    await vi.waitFor(async () => expect((await projects.get(id)).previewError?.message ?? null).toEqual(expected));
  };

  await report(running, null);
  const before = await seq();
  const broken = { ...running, problems: ['src/App.tsx:3:1: Unexpected token', 'src/film.ts:1:1: Missing file'] };
  const text = '2 modules do not compile.\nsrc/App.tsx:3:1: Unexpected token\nsrc/film.ts:1:1: Missing file';
  await report(broken, text);
  await report({ ...broken, revision: 2 }, text);
  await report({ ...running, state: 'starting' }, text);
  await report(
    { ...running, state: 'failed', log: `${'x'.repeat(9_000)}\n[the dev server exited:  SIGKILL]` },
    expect.stringContaining('SIGKILL'),
  );
  expect((await projects.get(id)).previewError?.log.length).toBe(4_000);
  await report(running, null);
  expect((await projects.get(id)).previewUrl).toBe('http://p');
  expect(await seq()).toBe(before + 3);
});
