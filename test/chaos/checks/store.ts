import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { renderFiles, renderProbeSchema, renderSettingsSchema } from '#contract/render.ts';
import type { AppFolders } from '../app.ts';
import { allows, type Ledger, type ProjectBook, settle, sha256 } from '../ledger.ts';
import { namesOf } from '../sandboxes.ts';
import { damageOf, readFiles } from './git.ts';
import type { Problem, ProblemKind } from './problem.ts';

interface Row {
  readonly [column: string]: string | number | null;
}

/**
 * Checks the data of a killed server before another one repairs it: acknowledged data exists, and interrupted work is
 * complete or absent. With `thorough`, also checks every repository with git's and the database with SQLite's own tools.
 * Whatever is found counts as acknowledged afterwards and must not change.
 */
export class StoreCheck {
  readonly #folders: AppFolders;
  readonly #database: BetterSqlite3.Database;
  readonly #problems: Problem[] = [];

  private constructor(folders: AppFolders) {
    this.#folders = folders;
    this.#database = new BetterSqlite3(join(folders.dataDir, 'koda.db'), { readonly: true, fileMustExist: true });
  }

  static async run(folders: AppFolders, ledger: Ledger, { thorough }: { thorough: boolean }): Promise<Problem[]> {
    if (!existsSync(join(folders.dataDir, 'koda.db')))
      return ledger.entries === 0 ? [] : [{ kind: 'lost', what: 'the database is gone' }];
    const check = new StoreCheck(folders);
    try {
      if (thorough) check.#sqlite();
      // The server was killed before it created its tables, so nothing was acknowledged.
      if (check.#rows("SELECT 1 FROM sqlite_master WHERE name = 'projects'").length === 0) {
        if (ledger.entries > 0) check.#report('lost', 'the tables are gone');
        return check.#problems;
      }
      for (const book of ledger.projects.values()) {
        if (book.existence === 'gone') check.#removed(book);
        else await check.#project(book);
      }
      check.#whole();
      if (thorough) await check.#repositories();
    } finally {
      check.#database.close();
    }
    return check.#problems;
  }

  #report(kind: ProblemKind, what: string): void {
    this.#problems.push({ kind, what });
  }

  #rows(sql: string, ...parameters: string[]): Row[] {
    return this.#database.prepare<string[], Row>(sql).all(...parameters);
  }

  #sqlite(): void {
    const integrity = this.#database.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') this.#report('corrupt', `SQLite: ${String(integrity)}`);
    const broken = this.#database.pragma('foreign_key_check');
    if (Array.isArray(broken) && broken.length > 0) this.#report('corrupt', `${broken.length} rows refer to nothing`);
  }

  #removed(book: ProjectBook): void {
    if (this.#rows('SELECT id FROM projects WHERE id = ?', book.id).length > 0)
      this.#report('lost', `the removal of project ${book.id}`);
  }

  async #project(book: ProjectBook): Promise<void> {
    const [row] = this.#rows('SELECT name, last_seq FROM projects WHERE id = ?', book.id);
    if (row === undefined) {
      if (book.existence === 'there') this.#report('lost', `project ${book.id}`);
      book.existence = 'gone';
      return;
    }
    // The project still exists, so the interrupted removal had no effect.
    book.existence = 'there';
    const name = String(row['name']);
    if (!allows(book.name, name)) this.#report('lost', `${book.id}: the name "${book.name.certain}", it is "${name}"`);
    settle(book.name, name);
    this.#events(book, Number(row['last_seq']));
    this.#messages(book);
    this.#uploads(book);
    this.#renders(book);
    await this.#checkpoints(book);
  }

  #events(book: ProjectBook, lastSeq: number): void {
    const rows = this.#rows('SELECT seq, body, by FROM events WHERE project_id = ? ORDER BY seq', book.id);
    const gap = rows.findIndex(({ seq }, index) => seq !== index + 1);
    if (gap !== -1 || rows.length !== lastSeq)
      this.#report('lost', `${book.id}: ${rows.length} events of ${lastSeq}, the first gap at ${gap + 1}`);
    for (const [seq, seen] of book.events) {
      const row = rows[seq - 1];
      const stored = row && { ...JSON.parse(String(row['body'])), by: JSON.parse(String(row['by'])) };
      if (!isDeepStrictEqual(stored, seen)) this.#report('lost', `${book.id}: event ${seq} is not what was seen`);
    }
  }

  #messages(book: ProjectBook): void {
    const rows = this.#rows('SELECT id FROM messages WHERE project_id = ? ORDER BY seq', book.id);
    const places = new Map(rows.map(({ id }, index) => [id, index]));
    let last = -1;
    for (const id of book.messages) {
      const place = places.get(id);
      if (place === undefined) this.#report('lost', `${book.id}: message ${id}`);
      else if (place < last) this.#report('lost', `${book.id}: message ${id} is out of order`);
      else last = place;
    }
  }

  #uploads(book: ProjectBook): void {
    const rows = new Map(this.#rows('SELECT id, file FROM assets WHERE project_id = ?', book.id).map((row) => [row['id'], row]));
    for (const [id, asset] of book.assets) {
      const row = rows.get(id);
      if (asset.existence === 'there' && row === undefined) this.#report('lost', `${book.id}: upload ${id}`);
      if (asset.existence === 'gone' && row !== undefined) this.#report('lost', `${book.id}: the removal of upload ${id}`);
      asset.existence = row === undefined ? 'gone' : 'there';
      if (row === undefined) continue;
      const path = join(this.#folders.dataDir, 'assets', book.id, String(row['file']));
      if (!existsSync(path) || sha256(readFileSync(path)) !== asset.sha256)
        this.#report('lost', `${book.id}: the content of upload ${id}`);
    }
  }

  #renders(book: ProjectBook): void {
    const rows = new Map(
      this.#rows('SELECT id, status FROM renders WHERE project_id = ?', book.id).map((row) => [row['id'], row]),
    );
    for (const [id, render] of book.renders) {
      const row = rows.get(id);
      if (render.existence === 'there' && row === undefined) this.#report('lost', `${book.id}: render ${id}`);
      if (render.existence === 'gone' && row !== undefined) this.#report('lost', `${book.id}: the removal of render ${id}`);
      render.existence = row === undefined ? 'gone' : 'there';
      if (row === undefined || !render.complete) continue;
      if (row['status'] !== 'complete') this.#report('lost', `${book.id}: render ${id} is ${row['status']} again`);
      const hash = hashOfFolder(join(this.#folders.dataDir, 'renders', id));
      if (render.sha256 !== null && render.sha256 !== hash) this.#report('lost', `${book.id}: the files of render ${id}`);
      render.sha256 = hash;
    }
  }

  async #checkpoints(book: ProjectBook): Promise<void> {
    const known = new Set(this.#rows('SELECT id FROM checkpoints WHERE project_id = ?', book.id).map(({ id }) => id));
    for (const id of book.checkpoints) if (!known.has(id)) this.#report('lost', `${book.id}: checkpoint ${id}`);
    if (book.files.size === 0) return;
    const [last] = this.#rows(
      'SELECT c.commit_id FROM sessions s JOIN checkpoints c ON c.id = s.last_checkpoint_id WHERE s.project_id = ?',
      book.id,
    );
    const paths = [...book.files.keys()];
    const repository = join(this.#folders.dataDir, 'projects', `${book.id}.git`);
    const found = last === undefined ? new Map() : await readFiles(repository, String(last['commit_id']), paths);
    for (const [path, file] of book.files) {
      const content = found.get(path) ?? null;
      if (!allows(file, content === null ? null : sha256(content))) this.#report('lost', `${book.id}: the content of ${path}`);
    }
  }

  /** Checks what every project must satisfy, even if its creation was interrupted. */
  #whole(): void {
    const { dataDir } = this.#folders;
    for (const { project_id, file, size_bytes } of this.#rows('SELECT project_id, file, size_bytes FROM assets')) {
      const path = join(dataDir, 'assets', String(project_id), String(file));
      if (!existsSync(path) || readFileSync(path).length !== size_bytes) this.#report('half', `upload ${path}`);
    }
    for (const { id, settings, probe } of this.#rows("SELECT id, settings, probe FROM renders WHERE status = 'complete'")) {
      const { format } = renderSettingsSchema.parse(JSON.parse(String(settings)));
      const path = join(dataDir, 'renders', String(id), renderFiles[format].name);
      const { sizeBytes } = renderProbeSchema.parse(JSON.parse(String(probe)));
      if (!existsSync(path) || readFileSync(path).length !== sizeBytes) this.#report('half', `render ${path}`);
    }
    for (const { id } of this.#rows('SELECT id FROM projects WHERE id NOT IN (SELECT project_id FROM sessions)'))
      this.#report('half', `project ${id} has no session`);
  }

  async #repositories(): Promise<void> {
    const commits = this.#rows('SELECT project_id, commit_id FROM checkpoints ORDER BY seq');
    const projects = new Set(commits.map(({ project_id }) => String(project_id)));
    for (const projectId of projects) {
      const repository = join(this.#folders.dataDir, 'projects', `${projectId}.git`);
      const own = commits.filter(({ project_id }) => project_id === projectId).map(({ commit_id }) => String(commit_id));
      const damage = existsSync(repository) ? await damageOf(repository, own) : 'it is not there';
      if (damage !== null) this.#report('corrupt', `${repository}: ${damage}`);
    }
  }
}

function hashOfFolder(folder: string): string {
  const names = namesOf(folder).toSorted();
  return sha256(Buffer.concat(names.flatMap((name) => [Buffer.from(name), readFileSync(join(folder, name))])));
}
