import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { projectSnapshotSchema } from '#contract/api.ts';
import { assetSchema, projectSchema } from '#contract/project.ts';
import { renderSchema } from '#contract/render.ts';
import { type Api, Refused } from './api.ts';
import { allows, attempt, type Ledger, type ProjectBook, settle, sha256, type Uncertain } from './ledger.ts';
import type { Random } from './random.ts';
import { killSandbox, linkPackages } from './sandboxes.ts';

/** Operations: a user's actions on a project, and events in its sandbox. */
export type Operation =
  | 'create'
  | 'rename'
  | 'message'
  | 'write'
  | 'remove-file'
  | 'upload'
  | 'remove-upload'
  | 'restart-sandbox'
  | 'kill-sandbox'
  | 'render'
  | 'remove-render'
  | 'delete';

/** Relative frequencies of the operations. Most are quick, so that every run of the server includes some of them. */
const usualMix: Record<Operation, number> = {
  create: 0,
  rename: 10,
  message: 8,
  write: 30,
  'remove-file': 6,
  upload: 20,
  'remove-upload': 6,
  'restart-sandbox': 1,
  'kill-sandbox': 1,
  render: 0,
  'remove-render': 0,
  delete: 1,
};

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const stagePage = join(import.meta.dirname, '../fixtures/stage-page');
const pollMs = 50;
const smallBytes = 4_000;
const largeBytes = 400_000;

interface World {
  readonly ledger: Ledger;
  readonly random: Random;
  readonly socketsDir: string;
  /** Receives every response that no user should get. */
  readonly onFault: (what: string) => void;
}

/** A user with one project at a time, who performs operations and records what the server has acknowledged. */
export class Actor {
  readonly #world: World;
  #book: ProjectBook | null = null;
  #lastRefusal = '';

  constructor(world: World) {
    this.#world = world;
  }

  /** Message of the server's last rejection, or an empty string. */
  get lastRefusal(): string {
    return this.#lastRefusal;
  }

  /** Performs operations until the server has exited. Throws the error that reported its exit. */
  async work(api: Api): Promise<never> {
    for (;;) await this.perform(api, this.#world.random.weighted(usualMix));
  }

  /** Performs one operation, including its prerequisites. Throws Unanswered if the server has exited. */
  async perform(api: Api, operation: Operation): Promise<void> {
    try {
      if (operation === 'create') await this.#create(api);
      else await this.#operations[operation](api, this.#project() ?? (await this.#create(api)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#lastRefusal = error.message;
      if (error.code === 'INTERNAL_ERROR' || error.code === '') this.#world.onFault(error.message);
      // The server rejects the call while a sandbox starts or ends, so the user retries.
      await delay(pollMs);
    }
  }

  readonly #operations: Record<Exclude<Operation, 'create'>, (api: Api, book: ProjectBook) => Promise<void>> = {
    rename: async (api, book) => {
      const name = `Name ${this.#world.random.below(1_000_000)}`;
      attempt(book.name, name);
      await api.patch(pathOf(book), { name });
      this.#world.ledger.acknowledge('name', { project: book.id, name }, () => settle(book.name, name));
    },

    message: async (api, book) => {
      const content = `make it ${this.#world.random.pick(['blue', 'faster', 'higher', 'calmer'])}`;
      const { messageId } = await api.post(`${pathOf(book)}/messages`, { content }, z.object({ messageId: z.string() }));
      this.#world.ledger.acknowledge('message', { project: book.id, messageId }, () => book.messages.push(messageId));
    },

    write: (api, book) => {
      const { random } = this.#world;
      const name = `src/chaos/${random.pick(['a', 'b', 'c/d', 'ü', 'e f', 'g', 'h', 'i'])}.txt`;
      const length = random.below(20) === 0 ? random.below(largeBytes) : random.below(smallBytes);
      return this.#write(api, book, name, random.bytes(length));
    },

    'remove-file': async (api, book) => {
      const there = () => [...book.files].filter(([path, file]) => path.startsWith('src/chaos/') && file.certain !== null);
      if (there().length === 0) await this.#operations.write(api, book);
      const [path, file] = this.#world.random.pick(there());
      attempt(file, null);
      await api.delete(`${pathOf(book)}/files/${encodeURI(path)}`);
      this.#world.ledger.acknowledge('file', { project: book.id, path, sha256: null }, () => settle(file, null));
    },

    upload: async (api, book) => {
      // Random bytes after the image make each file unique.
      const content = Buffer.concat([onePixel, this.#world.random.bytes(this.#world.random.below(smallBytes))]);
      const asset = await api.upload(`${pathOf(book)}/assets`, 'dot.png', content, assetSchema);
      const entry = { sha256: sha256(content), existence: 'there' as const };
      const note = { project: book.id, asset: asset.id, sha256: entry.sha256 };
      this.#world.ledger.acknowledge('upload', note, () => book.assets.set(asset.id, entry));
    },

    'remove-upload': async (api, book) => {
      const there = () => [...book.assets].filter(([, { existence }]) => existence === 'there');
      if (there().length === 0) await this.#operations.upload(api, book);
      const [id, asset] = this.#world.random.pick(there());
      asset.existence = 'removing';
      await api.delete(`${pathOf(book)}/assets/${id}`);
      this.#world.ledger.acknowledge('upload removed', { project: book.id, asset: id }, () => {
        asset.existence = 'gone';
      });
    },

    'restart-sandbox': async (api, book) => {
      await api.post(`${pathOf(book)}/sandbox`, {}, z.unknown());
    },

    'kill-sandbox': async (api, book) => {
      const { random, socketsDir } = this.#world;
      const killed = delay(random.below(80)).then(() => killSandbox(socketsDir, book.id));
      try {
        await this.#operations.write(api, book);
      } finally {
        await killed;
      }
    },

    render: async (api, book) => {
      await this.#render(api, book);
    },

    'remove-render': async (api, book) => {
      const id = await this.#render(api, book);
      const render = book.renders.get(id);
      if (render?.complete !== true) return;
      render.existence = 'removing';
      await api.delete(`/api/renders/${id}`);
      this.#world.ledger.acknowledge('render removed', { project: book.id, render: id }, () => {
        render.existence = 'gone';
      });
    },

    delete: async (api, book) => {
      // Ensures that the project has an asset and a file, so that their deletion is tested too.
      if (book.assets.size === 0) await this.#operations.upload(api, book);
      if (book.files.size === 0) await this.#operations.write(api, book);
      book.existence = 'removing';
      await api.delete(`${pathOf(book)}?now=true`);
      this.#world.ledger.acknowledge('project removed', { project: book.id }, () => {
        book.existence = 'gone';
      });
    },
  };

  #project(): ProjectBook | null {
    return this.#book?.existence === 'gone' ? null : this.#book;
  }

  async #create(api: Api): Promise<ProjectBook> {
    const name = `Project ${this.#world.random.below(1_000_000)}`;
    const body = { prompt: 'A red ball bounces for 2 seconds', name, style: 'playful', start: false };
    const project = await api.post('/api/projects', body, projectSchema);
    this.#book = this.#world.ledger.projectCreated(project.id, name);
    return this.#book;
  }

  /** Retries until the operation is acknowledged, or rejected for a reason other than a missing sandbox. */
  async #write(api: Api, book: ProjectBook, path: string, content: Buffer<ArrayBuffer>): Promise<void> {
    const hash = sha256(content);
    const file: Uncertain<string | null> = book.files.get(path) ?? { certain: null, possible: [] };
    book.files.set(path, file);
    if (!allows(file, hash)) attempt(file, hash);
    for (;;) {
      try {
        await api.put(`${pathOf(book)}/files/${encodeURI(path)}`, content);
        break;
      } catch (error) {
        if (!(error instanceof Refused) || (error.status !== 503 && error.status !== 502)) throw error;
        await delay(pollMs);
      }
    }
    this.#world.ledger.acknowledge('file', { project: book.id, path, sha256: hash }, () => settle(file, hash));
  }

  /** Renders one image to its end. Returns the render's id. */
  async #render(api: Api, book: ProjectBook): Promise<string> {
    if (!book.files.has('src/stage.js')) await this.#makeFilm(api, book);
    linkPackages(this.#world.socketsDir, book.id);
    const request = { kind: 'final', format: 'png', resolution: '720p', atSeconds: 0.5 };
    const { id } = await api.post(`${pathOf(book)}/renders`, request, renderSchema);
    const entry = { complete: false, existence: 'there', sha256: null } as const;
    this.#world.ledger.acknowledge('render', { project: book.id, render: id }, () => book.renders.set(id, { ...entry }));
    for (;;) {
      const { status } = await api.get(`/api/renders/${id}`, renderSchema);
      if (status === 'failed' || status === 'cancelled') return id;
      if (status !== 'complete') {
        await delay(pollMs);
        continue;
      }
      this.#world.ledger.acknowledge('render complete', { render: id }, () => {
        book.renders.set(id, { ...entry, complete: true });
      });
      return id;
    }
  }

  /** Accepts a plan and replaces the film with the test page. */
  async #makeFilm(api: Api, book: ProjectBook): Promise<void> {
    const { plan, approval } = await api.get(pathOf(book), projectSnapshotSchema);
    if (plan?.accepted !== true) {
      if (approval?.type !== 'plan') await this.#operations.message(api, book);
      await this.#until(api, book, (snapshot) => snapshot.approval?.type === 'plan');
      await api.post(`${pathOf(book)}/plan`, { action: 'accept' }, z.unknown());
    }
    await api.post(`${pathOf(book)}/stop`, {}, z.unknown());
    await this.#until(api, book, ({ project }) => project.phase === 'error');
    await this.#write(api, book, 'vite.config.ts', Buffer.from('export default {};\n'));
    for (const path of ['index.html', 'src/behaviour.js', 'src/stage.js'])
      await this.#write(api, book, path, readFileSync(join(stagePage, path)));
  }

  async #until(
    api: Api,
    book: ProjectBook,
    matches: (snapshot: z.output<typeof projectSnapshotSchema>) => boolean,
  ): Promise<void> {
    while (!matches(await api.get(pathOf(book), projectSnapshotSchema))) await delay(pollMs);
  }
}

function pathOf(book: ProjectBook): string {
  return `/api/projects/${book.id}`;
}
