import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { checkpointResponseSchema, diffResponseSchema, maxPatchBytes, restoreResponseSchema } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import { listTree } from '../fixtures/folder-sandbox.ts';
import { historyFixture } from '../fixtures/history.ts';
import { outlineIn } from '../fixtures/plans.ts';
import { sampleRender } from '../fixtures/renders.ts';
import { samplePlan } from '../fixtures/storage.ts';

async function failure(response: Response) {
  return { status: response.status, ...errorEnvelopeSchema.parse(await response.json()).error };
}

describe('the list of checkpoints', () => {
  it('X4: lists trigger, name, time and changed files page by page, newest first', async () => {
    using project = await historyFixture();
    project.write('src/a.ts', 'a\n'.repeat(30));
    project.write('src/b.ts', 'b\n');
    await project.save();
    project.write('src/b.ts', 'c\n');
    project.write('src/moved.ts', 'a\n'.repeat(30));
    rmSync(join(project.sandboxes.folderOf(project.projectId), 'src/a.ts'));
    await project.send('POST', `${project.path}/checkpoints`, { name: 'Before the title' });

    const { items, nextCursor } = await project.list();
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([
      {
        trigger: 'manual',
        title: 'Before the title',
        name: 'Before the title',
        restoredFrom: null,
        changedFiles: 2,
        files: [
          { path: 'src/b.ts', status: 'modified', previousPath: null },
          { path: 'src/moved.ts', status: 'renamed', previousPath: 'src/a.ts' },
        ],
      },
      { trigger: 'todo', name: null, changedFiles: 2, files: [{ status: 'added' }, { status: 'added' }] },
    ]);
    const first = await project.list('?limit=1');
    expect(first.items).toEqual([items[0]]);
    expect(await project.list(`?limit=1&cursor=${first.nextCursor}`)).toEqual({ items: [items[1]], nextCursor: null });
    expect(await failure(await project.call(`${project.path}/checkpoints?cursor=x`))).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
    });
    expect((await project.call(`/api/projects/${newId('prj')}/checkpoints`)).status).toBe(404);
  });

  it('X4: shows the image of its own files, otherwise the newest earlier one', async () => {
    using project = await historyFixture();
    const save = async (text: string) => {
      project.write('a', text);
      await project.save();
      // Waits, because times have a resolution of 1 ms.
      await sleep(2);
    };
    const finish = async (name: string, status: 'complete' | 'failed') => {
      const at = new Date().toISOString();
      const thumbnailUrl = status === 'complete' ? `/storage/renders/${name}/thumbnail.jpg` : null;
      const render = sampleRender(project.projectId, { status, thumbnailUrl, createdAt: at, finishedAt: at });
      await project.record({ type: status === 'complete' ? 'render.complete' : 'render.failed', render });
      await sleep(2);
    };
    await save('never pictured');
    await save('one');
    await finish('one', 'complete');
    await save('broken');
    await finish('broken', 'failed');
    await save('two');
    await finish('two, first', 'complete');
    await finish('two', 'complete');
    const shown = (await project.list()).items.map(({ thumbnailUrl }) => thumbnailUrl?.split('/').at(-2) ?? null);
    expect(shown).toEqual(['two', 'one', 'one', null]);
  });

  it('X4: names the first of many changed files and counts all of them', async () => {
    using project = await historyFixture();
    for (let index = 0; index < 50; index++) project.write(`src/${index}.ts`, `${index}`);
    await project.save();
    const [entry] = (await project.list()).items;
    expect([entry?.changedFiles, entry?.files.length]).toEqual([50, 20]);
  });

  it('X4: returns an empty list without checkpoints, and reports a damaged repository', async () => {
    using project = await historyFixture();
    expect(await project.list()).toEqual({ items: [], nextCursor: null });
    project.write('a', '1');
    const id = await project.save();
    const packs = join(project.repository, 'objects', 'pack');
    for (const name of readdirSync(packs)) rmSync(join(packs, name));
    for (const path of ['', `/${id}/diff`]) {
      const { message, recovery } = await failure(await project.call(`${project.path}/checkpoints${path}`));
      expect([recovery?.action, message]).toEqual(['restore_backup', expect.stringContaining('damaged')]);
    }
  });
});

describe('named checkpoints', () => {
  it('A21 X4: stores a name even if nothing has changed, with and without a sandbox', async () => {
    using project = await historyFixture();
    project.write('a', '1');
    const first = await project.send('POST', `${project.path}/checkpoints`, { name: 'One' });
    expect(first.status).toBe(201);
    const { checkpoint } = checkpointResponseSchema.parse(await first.json());
    expect(checkpoint).toMatchObject({ name: 'One', changedFiles: 1 });
    const again = await project.send('POST', `${project.path}/checkpoints`, { name: 'Two' });
    expect(again.status).toBe(201);
    // Later changes are still reported as changes.
    project.write('b', '2');
    await project.save();
    await project.sandboxes.destroy(project.projectId);
    expect((await project.send('POST', `${project.path}/checkpoints`, { name: 'Three' })).status).toBe(201);
    const { items } = await project.list();
    expect(items.map(({ name, changedFiles }) => [name, changedFiles])).toEqual([
      ['Three', 0],
      [null, 1],
      ['Two', 0],
      ['One', 1],
    ]);
    expect(project.git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual(['a', 'b']);
    expect(project.git('log', '--format=%s', '-n1', 'main')).toBe('Three');
    const nameless = await project.send('POST', `${project.path}/checkpoints`, { name: '  ' });
    expect(await failure(nameless)).toMatchObject({ status: 400, details: { field: 'name' } });
  });

  it('A21: stores nothing before the project has files', async () => {
    using project = await historyFixture();
    await project.sandboxes.destroy(project.projectId);
    const answer = await project.send('POST', `${project.path}/checkpoints`, { name: 'One' });
    expect(await failure(answer)).toMatchObject({ status: 409, code: 'INVALID_TRANSITION' });
  });
});

describe('differences', () => {
  it('X4: compares a checkpoint with the previous one and with any other, down to the lines of a file', async () => {
    using project = await historyFixture();
    project.write('src/a.ts', 'one\ntwo\n');
    project.write('logo.bin', randomBytes(5000));
    const first = await project.save();
    project.write('src/a.ts', 'one\nthree\n');
    project.write('logo.bin', randomBytes(5000));
    const second = await project.save();
    project.write('src/a.ts', 'one\nfour\n');
    const third = await project.save();
    const diff = async (id: string, query = '') =>
      diffResponseSchema.parse(await (await project.call(`${project.path}/checkpoints/${id}/diff${query}`)).json());

    expect(await diff(second)).toEqual({
      checkpointId: second,
      against: null,
      changedFiles: 2,
      files: [
        { path: 'logo.bin', status: 'modified', previousPath: null, binary: true, addedLines: null, deletedLines: null },
        { path: 'src/a.ts', status: 'modified', previousPath: null, binary: false, addedLines: 1, deletedLines: 1 },
      ],
      patch: null,
      truncated: false,
    });
    expect((await diff(first)).files.map(({ status }) => status)).toEqual(['added', 'added']);
    const { patch, files } = await diff(third, '?path=src/a.ts');
    expect(files).toHaveLength(1);
    expect(patch).toContain('@@ -1,2 +1,2 @@\n one\n-three\n+four\n');
    expect((await diff(third, `?against=${first}&path=src/a.ts`)).patch).toContain('-two\n+four\n');
    expect((await diff(second, '?path=logo.bin')).patch).toBeNull();
    expect(await failure(await project.call(`${project.path}/checkpoints/${third}/diff?path=logo.bin`))).toMatchObject({
      status: 404,
      recovery: { action: 'list_changed_files' },
    });
    expect((await project.call(`${project.path}/checkpoints/${newId('chk')}/diff`)).status).toBe(404);
    expect((await project.call(`${project.path}/checkpoints/${third}/diff?against=${newId('chk')}`)).status).toBe(404);
  });

  it('X4: treats names with git or shell syntax as plain names', async () => {
    using project = await historyFixture();
    const names = ['-p', '--output=x', ':(top)a', '*', 'a b', '"q"', "it's $(x) `y`", 'ü 猫', ':100644 x', 'x\u0308'];
    for (const name of names) project.write(name, `of ${name}\n`);
    const id = await project.save();
    const list = diffResponseSchema.parse(await (await project.call(`${project.path}/checkpoints/${id}/diff`)).json());
    expect(list.files.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    for (const name of names) {
      const answer = await project.call(`${project.path}/checkpoints/${id}/diff?path=${encodeURIComponent(name)}`);
      const { files, patch } = diffResponseSchema.parse(await answer.json());
      expect(files.map(({ path }) => path)).toEqual([name]);
      expect(patch?.split('\n').filter((line) => line.startsWith('+of'))).toEqual([`+of ${name}`]);
    }
    for (const outside of ['../x', '/etc/passwd', '.git/config', '\0']) {
      const answer = await project.call(`${project.path}/checkpoints/${id}/diff?path=${encodeURIComponent(outside)}`);
      expect(answer.status).toBe(404);
    }
  });

  it('X4: cuts a patch at its limit and reports it; attributes of the project do not affect it', async () => {
    using project = await historyFixture();
    project.write('.gitattributes', '* diff=x filter=x textconv=x\n');
    project.write('large.txt', 'a line of text\n'.repeat(200_000));
    const id = await project.save();
    const answer = await project.call(`${project.path}/checkpoints/${id}/diff?path=large.txt`);
    const { patch, truncated, files } = diffResponseSchema.parse(await answer.json());
    expect([truncated, patch?.length, files[0]?.addedLines]).toEqual([true, maxPatchBytes, 200_000]);
  });
});

describe('a file as it was', () => {
  it('X4: returns a file byte by byte as data, whatever its name, and reports anything else as missing', async () => {
    using project = await historyFixture();
    const bytes = randomBytes(100_000);
    const names = ['-p', '*', 'a b.html', ':100644 x', 'ü 猫'];
    project.write('src/logo.bin', bytes);
    for (const name of names) project.write(name, `<script>${name}</script>`);
    symlinkSync('src/logo.bin', join(project.sandboxes.folderOf(project.projectId), 'link'));
    const before = await project.save();
    for (const name of ['src/logo.bin', ...names]) project.write(name, 'changed');
    const after = await project.save();
    const file = (id: string, path: string) => project.call(`${project.path}/checkpoints/${id}/files/${path}`);

    const logo = await file(before, 'src/logo.bin');
    expect(Buffer.from(await logo.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await (await file(after, 'src/logo.bin')).text()).toBe('changed');
    for (const name of names) {
      const answer = await file(before, encodeURIComponent(name));
      expect(await answer.text()).toBe(`<script>${name}</script>`);
      expect(answer.headers.get('content-type')).not.toContain('html');
      expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    }
    for (const missing of ['src', 'src/other', 'link', 'link/x'])
      expect(await failure(await file(before, missing)), missing).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await file(newId('chk'), 'a')).status).toBe(404);
    expect((await file(before, '..%2fx')).status).toBe(400);
  });
});

describe('restoring a checkpoint', () => {
  it('X4 A22: restores the files, keeps the conversation and the previous state, and can be undone', async () => {
    using project = await historyFixture();
    const folder = project.sandboxes.folderOf(project.projectId);
    project.write('a', '1');
    project.write('run.sh', '#!/bin/sh\n', 0o755);
    symlinkSync('a', join(folder, 'link'));
    const first = await project.save();
    const before = listTree(folder);
    const changed = { ...samplePlan({ durationSeconds: 9 }), id: project.plan.id, revision: 2, accepted: true };
    await project.record({ type: 'plan.proposed', plan: changed });
    await project.say('longer');
    project.write('a', '2');
    rmSync(join(folder, 'link'));
    await project.save();
    project.write('unsaved', 'only here');
    const unsaved = listTree(folder);

    const answer = await project.call(`${project.path}/checkpoints/${first}/restore`, { method: 'POST' });
    const { restored, checkpoint } = restoreResponseSchema.parse(await answer.json());
    expect([answer.status, restored]).toEqual([200, true]);
    expect(checkpoint).toMatchObject({ trigger: 'restore', restoredFrom: first, changedFiles: 3 });
    expect(listTree(folder)).toEqual(before);
    const { plan, messages } = await project.stores.projects.state(project.projectId);
    expect([outlineIn(plan).durationSeconds, plan?.accepted, plan?.revision]).toEqual([6, true, 3]);
    expect(messages.map(({ content }) => content)).toEqual(['longer']);

    const { items } = await project.list();
    expect(items.map(({ trigger, title }) => [trigger, title])).toEqual([
      ['restore', 'Restored “todo”'],
      ['before_restore', 'Before restoring “todo”'],
      ['todo', 'todo'],
      ['todo', 'todo'],
    ]);
    await project.call(`${project.path}/checkpoints/${items[1]?.id}/restore`, { method: 'POST' });
    expect(listTree(folder)).toEqual(unsaved);
    expect(outlineIn((await project.stores.projects.state(project.projectId)).plan).durationSeconds).toBe(9);
    expect((await project.list()).items[0]).toMatchObject({ title: 'Restored what was there before “todo”' });
    expect(project.git('fsck', '--strict')).toBe('');
  });

  it('X4 A25: keeps uploads, including those that are newer than the checkpoint', async () => {
    using project = await historyFixture();
    project.write('a', '1');
    const first = await project.save();
    const picture = readFileSync(join(import.meta.dirname, '../fixtures/logo.png'));
    const content = Readable.from([picture]);
    const { path } = await project.stores.assets.add(project.projectId, {
      name: 'logo.png',
      content,
      signal: new AbortController().signal,
    });
    project.write(path, picture);
    project.write('a', '2');
    await project.save();
    const answer = await project.call(`${project.path}/checkpoints/${first}/restore`, { method: 'POST' });
    expect(restoreResponseSchema.parse(await answer.json()).restored).toBe(true);
    const folder = project.sandboxes.folderOf(project.projectId);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('1');
    expect(readFileSync(join(folder, path)).equals(picture)).toBe(true);
  });

  it('X4: does not restore the current checkpoint again', async () => {
    using project = await historyFixture();
    project.write('a', '1');
    const id = await project.save();
    const answer = await project.call(`${project.path}/checkpoints/${id}/restore`, { method: 'POST' });
    expect(await answer.json()).toMatchObject({ restored: false, checkpoint: { id } });
    expect((await project.list()).items).toHaveLength(1);
  });

  it('X4 A22: moves the history without a sandbox, and the next sandbox has the restored files', async () => {
    using project = await historyFixture();
    project.write('a', '1');
    const first = await project.save();
    const before = listTree(project.sandboxes.folderOf(project.projectId));
    project.write('a', '2');
    project.write('b', '2');
    await project.save();
    await project.sandboxes.destroy(project.projectId);
    const answer = await project.call(`${project.path}/checkpoints/${first}/restore`, { method: 'POST' });
    expect(await answer.json()).toMatchObject({ restored: true, checkpoint: { trigger: 'restore', changedFiles: 2 } });
    await project.openSandbox();
    expect(listTree(project.sandboxes.folderOf(project.projectId))).toEqual(before);
    project.write('c', '3');
    await project.save();
    expect(project.git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual(['a', 'c']);
    expect(project.git('rev-list', '--count', 'main')).toBe('4');
  });

  it('X4: restores a checkpoint without files', async () => {
    using project = await historyFixture();
    project.write('a', '1');
    await project.save();
    rmSync(join(project.sandboxes.folderOf(project.projectId), 'a'));
    const empty = await project.save();
    project.write('a', '2');
    await project.save();
    await project.sandboxes.destroy(project.projectId);
    expect((await project.call(`${project.path}/checkpoints/${empty}/restore`, { method: 'POST' })).status).toBe(200);
    expect(project.git('ls-tree', '-r', 'main')).toBe('');
  });

  it('A1 X4: refuses a restore during a run and changes nothing', async () => {
    using project = await historyFixture();
    project.write('a', '1');
    const first = await project.save();
    project.write('a', '2');
    await project.save();
    const runId = newId('run');
    await project.record({ type: 'run.started', runId });
    const refused = await project.call(`${project.path}/checkpoints/${first}/restore`, { method: 'POST' });
    expect(await failure(refused)).toMatchObject({ status: 409, code: 'INVALID_TRANSITION', recovery: { action: 'stop' } });
    expect((await project.list()).items).toHaveLength(2);
    await project.record({ type: 'run.finished', runId, outcome: 'stopped' });
    expect((await project.call(`${project.path}/checkpoints/${first}/restore`, { method: 'POST' })).status).toBe(200);
  });

  it('X4: does not find a checkpoint of another project', async () => {
    using project = await historyFixture();
    using other = await historyFixture();
    other.write('a', '1');
    project.write('a', '1');
    await project.save();
    const foreign = await other.save();
    for (const [method, path] of [
      ['POST', 'restore'],
      ['GET', 'diff'],
      ['GET', 'files/a'],
    ] as const)
      expect((await project.call(`${project.path}/checkpoints/${foreign}/${path}`, { method })).status).toBe(404);
    expect(execFileSync('git', ['-C', project.repository, 'rev-list', '--count', 'main'], { encoding: 'utf8' }).trim()).toBe('1');
  });
});
