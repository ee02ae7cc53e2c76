import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { textFile, treeOf } from '../fixtures/cycle-trees.ts';
import { startFakeStudio } from '../fixtures/fake-studio.ts';
import {
  canary,
  type Entry,
  type HostileRepository,
  hostileRepositories,
  outsideFolder,
  ranVariable,
} from '../fixtures/hostile-repositories.ts';
import { koda } from '../fixtures/koda-command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'koda-hostile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, [ranVariable]: ran() },
  });
const ran = () => join(folder, 'ran');
const clone = () => join(folder, 'clone');
const outside = () => join(folder, outsideFolder);

function put(root: string, path: string, entry: Entry): void {
  const place = join(root, path);
  mkdirSync(dirname(place), { recursive: true });
  if (typeof entry === 'string') writeFileSync(place, entry);
  else if ('executable' in entry) writeFileSync(place, entry.executable, { mode: 0o755 });
  else if ('link' in entry) symlinkSync(entry.link, place);
  else if ('sizeBytes' in entry) writeFileSync(place, ' '.repeat(entry.sizeBytes));
}

const defaults: HostileRepository['entries'] = { 'dev_documents/CYCLE01/SPEC.md': '# Something\n', 'src/a.ts': 'a\n' };

/** Commits the entries, and clones them as a user would. */
function cloneOf(entries: HostileRepository['entries']): void {
  const upstream = join(folder, 'upstream');
  mkdirSync(upstream);
  git(upstream, 'init', '--quiet');
  const all = Object.entries(defaults).filter(([path]) =>
    Object.keys(entries).every((other) => other !== path && !path.startsWith(`${other}/`)),
  );
  for (const [path, entry] of [...all, ...Object.entries(entries)]) {
    put(upstream, path, entry);
    if (typeof entry !== 'string' && 'submodule' in entry)
      git(upstream, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},${path}`);
  }
  git(upstream, '-c', 'core.fsmonitor=false', 'add', '--all', '--force', '--ignore-removal', '.');
  git(upstream, 'commit', '--quiet', '--message', 'All');
  git(folder, 'clone', '--quiet', upstream, clone());
  for (const [path, entry] of Object.entries(entries)) {
    if (typeof entry === 'string' || !('pipe' in entry)) continue;
    mkdirSync(dirname(join(clone(), path)), { recursive: true });
    execFileSync('mkfifo', [join(clone(), path)]);
  }
}

function makeOutside(): void {
  const names = ['ssh/id_test', 'with/src/id_test', 'with/src/a.ts', 'documents/CYCLE01/SPEC.md', 'journal.json'];
  for (const name of names) put(outside(), name, canary);
}

/** Returns everything in a folder as text, without following links. Leaves out a folder of it. */
function contentOf(root: string, without: string | null = null): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    for (const name of readdirSync(join(root, path))) {
      const child = join(path, name);
      if (child === without) continue;
      const stats = lstatSync(join(root, child));
      found[child] = stats.mode.toString(8);
      if (stats.isDirectory()) visit(child);
      else if (stats.isSymbolicLink()) found[child] += ` ${readlinkSync(join(root, child))}`;
      else if (stats.isFile())
        found[child] += ` ${createHash('sha256')
          .update(readFileSync(join(root, child)))
          .digest('hex')}`;
    }
  };
  visit('');
  return found;
}

/** Returns the archives of a cycle as text. */
async function textOf(archives: readonly Buffer[]): Promise<string> {
  const texts: string[] = [];
  for (const archive of archives) {
    const zip = await fromBufferPromise(archive, { lazyEntries: true });
    for await (const entry of zip.eachEntry())
      texts.push(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString('latin1'));
  }
  return texts.join('\n');
}

/** Returns a result that keeps the files of the repository and adds one. */
function resultOf({ entries, result, root }: HostileRepository) {
  const prefix = root === undefined ? '' : `${root}/`;
  const files = Object.entries({ ...defaults, ...entries }).flatMap(([path, entry]) => {
    const own = path.slice(prefix.length);
    if (!path.startsWith(`${prefix}src/`) || own.includes('/.koda-')) return [];
    if (typeof entry === 'string') return [[own, textFile(entry)] as const];
    return 'executable' in entry ? [[own, textFile(entry.executable, true)] as const] : [];
  });
  const added = Object.entries(result ?? {}).map(([path, text]) => [path, textFile(text)] as const);
  return treeOf({ ...Object.fromEntries([...files, ...added]), 'src/result.ts': textFile('result\n') });
}

describe('a cloned repository', () => {
  it.each(hostileRepositories)('C1: does no harm if $name', async (repository) => {
    const { entries, replaced = {}, root = '', flags = [], outcome } = repository;
    makeOutside();
    cloneOf(entries);
    const state = {
      outside: contentOf(outside()),
      around: contentOf(clone(), join(root, 'src')),
      src: existsSync(join(clone(), root, 'src')) ? contentOf(join(clone(), root, 'src')) : {},
    };
    await using studio = await startFakeStudio(resultOf(repository), {
      whileCoding: () => {
        for (const [path, link] of Object.entries(replaced)) {
          renameSync(join(clone(), path), join(folder, 'moved'));
          symlinkSync(link, join(clone(), path));
        }
      },
    });
    const env = {
      HOME: join(folder, 'home'),
      XDG_STATE_HOME: join(folder, 'state'),
      KODA_TEST_CANARY: canary,
      [ranVariable]: ran(),
    };
    const { code, stdout, stderr } = await koda(
      ['--url', studio.url, 'run-cycle', '--id', '01', '--root', join(clone(), root), ...flags],
      { env },
    );

    expect(`${stdout}${stderr}`).not.toContain(canary);
    expect(await textOf(studio.archives)).not.toContain(canary);
    expect(contentOf(outside())).toEqual(state.outside);
    for (const [path, link] of Object.entries(replaced)) {
      expect(readlinkSync(join(clone(), path))).toBe(link);
      rmSync(join(clone(), path));
      renameSync(join(folder, 'moved'), join(clone(), path));
    }
    expect(contentOf(clone(), join(root, 'src'))).toEqual(state.around);
    expect(code === 0 ? 'applied' : 'refused', stderr).toBe(outcome);
    const src = existsSync(join(clone(), root, 'src')) ? contentOf(join(clone(), root, 'src')) : {};
    const added = outcome === 'applied' ? { 'result.ts': src['result.ts'] } : {};
    expect(src).toEqual({ ...state.src, ...added });

    git(clone(), 'checkout', '--quiet', '-b', 'after');
    expect(existsSync(ran())).toBe(false);
  });
});
