import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Transactions } from '../sandbox-image/sandboxd/apply/apply.ts';
import { type Disk, realDisk } from '../sandbox-image/sandboxd/apply/disk.ts';
import { anyChanges, anyFiles, expected } from './fixtures/apply.ts';
import { change, type Files, sample, sampleChanges, steppedDisk, unchecked } from './fixtures/apply-sample.ts';
import { listTree } from './fixtures/folder-sandbox.ts';

const { signal } = new AbortController();
/** Skips syncing to disk, because the kernel is responsible for the durability of directory entries. */
const quickDisk: Disk = { ...realDisk, sync: async () => undefined };

/** Parent folder of the workspace. */
let outside: string;
let workspace: string;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'koda-apply-'));
  workspace = join(outside, 'workspace');
  mkdirSync(workspace);
});
afterEach(() => rmSync(outside, { recursive: true }));

function place(files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
}

function empty(): void {
  rmSync(workspace, { recursive: true });
  mkdirSync(workspace);
}

/** Returns the type, executable bit and content of everything in the workspace except the daemon's own folder. */
function tree(): Record<string, string> {
  return Object.fromEntries(Object.entries(listTree(workspace)).filter(([path]) => !path.startsWith('.koda/')));
}

function texts(): Files {
  return Object.fromEntries(Object.keys(tree()).map((path) => [path, readFileSync(join(workspace, path), 'utf8')]));
}

class Ended extends Error {}

/** Simulates a process that is killed at step `at`: nothing is written after that. */
const endingDisk = (at: number) =>
  steppedDisk(quickDisk, (step) => {
    if (step >= at) throw new Ended('the process has ended');
  });

const failingDisk = (at: number, code: string) =>
  steppedDisk(quickDisk, (step) => {
    if (step === at) throw Object.assign(new Error(code), { code });
  });

/** Recreates the sample workspace, with an executable and a link. */
function placeSample(): Record<string, string> {
  empty();
  place(sample);
  chmodSync(join(workspace, 'run.sh'), 0o755);
  symlinkSync('old.ts', join(workspace, 'src/link.ts'));
  return tree();
}

const applySample = (disk: Disk) => new Transactions(workspace, disk).apply({ ...unchecked, changes: sampleChanges }, signal);

describe('a transaction of files', () => {
  it('G1: is all or nothing at whatever step its process ends, also when taking it back is cut off', async () => {
    const before = placeSample();
    const whole = steppedDisk(quickDisk, () => undefined);
    await applySample(whole.disk);
    const after = tree();
    expect(after).not.toEqual(before);
    let ends = 0;
    for (let at = 1; at <= whole.steps(); at++) {
      for (let again = 1; again <= 20; again++) {
        placeSample();
        await expect(applySample(endingDisk(at).disk)).rejects.toThrow('the process has ended');
        const second = endingDisk(again);
        const finished = await new Transactions(workspace, second.disk).recover().then(
          () => true,
          () => false,
        );
        ends += finished ? 1 : 2;
        await new Transactions(workspace, quickDisk).recover();
        // The last step makes the journal's removal durable; the files are complete by then.
        expect(tree(), `ended at step ${at}, then at step ${again}`).toEqual(at < whole.steps() ? before : after);
        if (finished) break;
      }
    }
    expect(ends).toBe(279);
  });

  it('G1: leaves the workspace as it was when the disk refuses any one of its steps', async () => {
    const counted = steppedDisk(quickDisk, () => undefined);
    const before = placeSample();
    await applySample(counted.disk);
    for (const code of ['EIO', 'ENOSPC'])
      for (let at = 1; at <= counted.steps(); at++) {
        placeSample();
        await expect(applySample(failingDisk(at, code).disk), `${code} at step ${at}`).rejects.toThrow();
        expect(tree(), `${code} at step ${at}`).toEqual(before);
      }
  });

  it('G1: leaves what is asked for, or on a refusal or a failure of the disk what was there', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, anyChanges, fc.option(fc.integer({ min: 1, max: 30 })), async (files, changes, failsAt) => {
        empty();
        place(files);
        const disk = failsAt === null ? quickDisk : failingDisk(failsAt, 'EIO').disk;
        const { after, refusal } = expected(files, changes);
        const outcome = await new Transactions(workspace, disk).apply({ ...unchecked, changes }, signal).then(
          () => null,
          (error: { code: string }) => error.code,
        );
        if (refusal !== null) expect(outcome).toBe(refusal);
        if (failsAt === null) expect(outcome).toBe(refusal);
        expect(texts()).toEqual(outcome === null ? after : files);
      }),
      { numRuns: 200 },
    );
  });

  it('G1: does what a forged journal says only within the project', async () => {
    writeFileSync(join(outside, 'secret'), 'secret');
    for (const path of ['../secret', `${outside}/secret`, 'out/secret', '.git/config', 'a/../../secret']) {
      empty();
      symlinkSync(outside, join(workspace, 'out'));
      mkdirSync(join(workspace, '.koda/apply/old'), { recursive: true });
      writeFileSync(join(workspace, '.koda/apply/old/0'), 'forged');
      const journal = { folders: [], steps: [{ path, writes: true, replaces: true }] };
      writeFileSync(join(workspace, '.koda/apply/journal.json'), JSON.stringify(journal));
      await new Transactions(workspace, quickDisk).recover().catch(() => undefined);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    }
    // Any other entry with the journal's name is removed, and transactions continue.
    empty();
    mkdirSync(join(workspace, '.koda/apply'), { recursive: true });
    symlinkSync(join(outside, 'secret'), join(workspace, '.koda/apply/journal.json'));
    await applyOne('a.ts');
    expect(tree()).toHaveProperty(['a.ts']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it('G1: keeps the executable bit, replaces a link, and leaves concurrent changes by others alone', async () => {
    placeSample();
    const changes = [change('src/link.ts', 'mine', 'file'), change('run.sh', '#!/bin/sh', 'file')];
    await new Transactions(workspace, quickDisk).apply({ ...unchecked, changes }, signal);
    expect(tree()['run.sh']).toMatch(/^program /);
    expect(texts()).toMatchObject({ 'src/link.ts': 'mine', 'src/old.ts': 'old' });
    // Creates the target file while the changes are being staged.
    const meddling: Disk = {
      ...quickDisk,
      rename(from, to) {
        if (to.endsWith('journal.json')) place({ 'src/new.ts': 'theirs' });
        quickDisk.rename(from, to);
      },
    };
    const creating = [change('src/old.ts', 'newer', 'file'), change('src/new.ts', 'ours', 'nothing')];
    await expect(new Transactions(workspace, meddling).apply({ ...unchecked, changes: creating }, signal)).rejects.toMatchObject({
      code: 'APPLY_FAILED',
    });
    expect(texts()).toMatchObject({ 'src/old.ts': 'old', 'src/new.ts': 'theirs' });
  });

  it('A15: wakes a watcher of a file only once the file is new, so that the live preview does not miss it', async () => {
    place({ 'src/film.ts': 'old' });
    const heard: string[] = [];
    const file = join(workspace, 'src/film.ts');
    const watcher = watch(file, () => heard.push(readFileSync(file, 'utf8')));
    const changes = [change('src/film.ts', 'new', 'file')];
    await new Transactions(workspace, realDisk).apply({ ...unchecked, changes }, signal);
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    watcher.close();
    expect(new Set(heard)).toEqual(new Set(['new']));
  });
});

const applyOne = (path: string) =>
  new Transactions(workspace, quickDisk).apply({ ...unchecked, changes: [change(path, 'x', 'any')] }, signal);
