import { Mutex } from 'async-mutex';
import type { Logger } from 'pino';
import type { CircuitReport, ModelCheck } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import type { FoundServer, ModelTest } from '#contract/model-servers.ts';
import { anthropicUrl, type ModelSettingsRequest, type ModelSettingsView } from '#contract/settings.ts';
import type { ModelConfig, ModelEnvironment } from '../../lib/config.ts';
import type { Author, Builder, JsonPath } from '../../projects/author.ts';
import type { Kind } from '../../projects/kind.ts';
import { authorFor } from '../author-for.ts';
import { checkModels } from '../check-models.ts';
import { measureModel } from '../measure-model.ts';
import { featuresOf } from '../models/service/features.ts';
import type { ModelServerFinder } from '../servers/find-servers.ts';
import type { ModelSet } from './model-set.ts';
import { afterRequest, modelsFor, viewOf, withoutKey } from './resolve.ts';
import { nothingStored, type StoredModels } from './stored.ts';

/** Stores the settings. Writes are durable when they return. */
export interface ModelSettingsFile {
  /** Returns `null` if nothing is stored. Rejects if it is unreadable, without revealing its content. */
  read(): Promise<StoredModels | null>;
  write(settings: StoredModels): Promise<void>;
}

interface Deps {
  /** Kind whose author is named in reports. */
  readonly defaultKind: { readonly jsonPath?: JsonPath<Builder>; readonly author: Builder };
  readonly environment: ModelEnvironment;
  readonly file: ModelSettingsFile;
  readonly make: (config: ModelConfig) => ModelSet;
  readonly finder: Pick<ModelServerFinder, 'find'>;
  readonly log: Logger;
}

interface TestOptions {
  readonly signal: AbortSignal;
  readonly report: (test: ModelTest) => void;
}

/**
 * Selects the models: from the environment, otherwise from the settings page. A change affects runs that start later; running
 * ones keep their models. Keys are write-only.
 */
export class ModelSettings {
  readonly #deps: Deps;
  #stored: StoredModels;
  /** `null` while the built-in director is in use. */
  #set: ModelSet | null;
  readonly #changing = new Mutex();

  private constructor(deps: Deps, stored: StoredModels) {
    this.#deps = deps;
    this.#stored = stored;
    this.#set = makeSet(deps, stored);
  }

  /** Opens the settings. If they are unreadable, logs the error and starts with the director. */
  static async open(deps: Deps): Promise<ModelSettings> {
    try {
      return new ModelSettings(deps, (await deps.file.read()) ?? nothingStored);
    } catch (error) {
      deps.log.error({ err: error }, 'failed to read model settings, choose the model again on the settings page');
      return new ModelSettings(deps, nothingStored);
    }
  }

  /** Returns the author of the default kind, which is named in reports. */
  author(): Builder {
    const { defaultKind } = this.#deps;
    const set = this.#set;
    return set === null ? defaultKind.author : authorFor(set.resilient, { path: set.path, kind: defaultKind, requests: [] });
  }

  /**
   * Returns the author of a new run in a project of this kind. `requests`: what the user has said so far. Throws CONFLICT if the kind needs a
   * language model and there is none.
   */
  authorOf(kind: Pick<Kind, 'title' | 'author' | 'usesNoModel' | 'jsonPath'>, requests: readonly string[]): Author {
    const set = this.#set;
    for (const model of set === null ? [] : Object.values(set.resilient)) model.forgetRejections?.();
    const isBuiltIn = set === null || kind.usesNoModel?.(requests) === true;
    const author = isBuiltIn ? kind.author : authorFor(set.resilient, { path: set.path, kind, requests });
    if (author !== undefined) return author;
    throw new KodaError('CONFLICT', `Projects of the kind “${kind.title}” need a language model. Choose one in the settings.`, {
      recovery: 'choose_model',
    });
  }

  /** Returns the state of the model service's circuit, or `null` if there is no model service. */
  circuit(): CircuitReport | null {
    return this.#set?.breaker.report() ?? null;
  }

  view(): ModelSettingsView {
    const builtIn = this.#deps.defaultKind.author;
    const { orchestrator, generator } = this.#set?.resilient ?? { orchestrator: builtIn, generator: builtIn };
    const current = { kind: orchestrator.kind, orchestrator: orchestrator.name, generator: generator.name };
    return viewOf(this.#deps.environment, this.#stored, current);
  }

  /** Stores the settings. Throws CONFLICT, VALIDATION_ERROR or STORAGE_FULL, and changes nothing then. */
  save(request: ModelSettingsRequest): Promise<ModelSettingsView> {
    return this.#change((stored) => afterRequest(this.#deps.environment, stored, request));
  }

  /** Removes the stored key. Succeeds if there is none. Throws CONFLICT if the environment sets the key. */
  removeKey(): Promise<ModelSettingsView> {
    return this.#change((stored) => withoutKey(this.#deps.environment, stored));
  }

  /** Checks the current models with one-word requests. */
  async check(options: { signal: AbortSignal }): Promise<ModelCheck[]> {
    if (this.#set !== null) return await checkModels(this.#set.services, options);
    const { kind, name } = this.#deps.defaultKind.author;
    return [
      {
        role: 'orchestrator and generator',
        kind,
        name,
        ok: true,
        detail: 'built in, needs no key and no network',
        durationMs: 0,
      },
    ];
  }

  /**
   * Prepares the measurement of the models in a request, without storing them. Throws the same errors as `save`. Anthropic's
   * service gets two or three short requests, because it bills them.
   */
  prepareTest(request: ModelSettingsRequest): (options: TestOptions) => Promise<ModelTest> {
    const { environment, make, defaultKind } = this.#deps;
    const config = modelsFor(environment, afterRequest(environment, this.#stored, request));
    if (config === null) {
      const { name } = defaultKind.author;
      const verdict = { isUsable: true, modelPath: 'auto', contextTokens: null, needsContext: false } as const;
      const sentences = ['Built in: it needs no key and no network.'];
      return async () => ({ model: name, steps: [], durationMs: 0, verdict: { ...verdict, sentences } });
    }
    const isFree = config.baseUrl !== anthropicUrl;
    const sendsImages = config.supportsImages ?? featuresOf(config.orchestrator).images;
    const { orchestrator, generator } = make({ ...config, supportsImages: sendsImages || isFree, record: false }).services;
    const codeModel = generator === orchestrator ? null : generator;
    return (options) => measureModel(orchestrator, { ...options, codeModel, isFree, sendsImages });
  }

  /** Finds model servers on this computer. If the environment sets the connection, there is nothing to choose. */
  async findServers(): Promise<FoundServer[]> {
    const { environment, finder } = this.#deps;
    return environment.connection === null ? await finder.find() : [];
  }

  #change(next: (stored: StoredModels) => StoredModels): Promise<ModelSettingsView> {
    return this.#changing.runExclusive(async () => {
      const { file, log } = this.#deps;
      const before = this.#stored;
      const stored = next(before);
      const set = makeSet(this.#deps, stored);
      await file.write(stored);
      this.#stored = stored;
      this.#set = set;
      const { provider, baseUrl, orchestrator, generator, modelPath, api } = stored;
      const models = { provider, baseUrl, orchestrator, generator, modelPath, api, key: keyChange(before, stored) };
      log.info({ audit: 'settings.model', models }, 'model settings changed');
      return this.view();
    });
  }
}

function makeSet({ environment, make }: Deps, stored: StoredModels): ModelSet | null {
  const config = modelsFor(environment, stored);
  return config && make(config);
}

function keyChange({ key: before }: StoredModels, { key: after }: StoredModels): 'none' | 'kept' | 'set' | 'removed' {
  if (after === null) return before === null ? 'none' : 'removed';
  return after.value === before?.value && after.baseUrl === before.baseUrl ? 'kept' : 'set';
}
