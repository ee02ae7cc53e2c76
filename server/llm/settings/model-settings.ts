import { Mutex } from 'async-mutex';
import type { Logger } from 'pino';
import type { CircuitReport, ModelCheck } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import type { ModelSettingsRequest, ModelSettingsView } from '#contract/settings.ts';
import type { Author } from '../../kinds/author.ts';
import type { ModelConfig, ModelEnvironment } from '../../lib/config.ts';
import { checkModels } from '../check-models.ts';
import { languageModel } from '../language-model.ts';
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
  readonly builtIn: Author;
  readonly environment: ModelEnvironment;
  readonly file: ModelSettingsFile;
  readonly make: (config: ModelConfig) => ModelSet;
  readonly log: Logger;
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

  /** Returns the author that is named in reports: the language model, or the built-in author of the default kind. */
  author(): Author {
    return this.#set === null ? this.#deps.builtIn : languageModel(this.#set.resilient);
  }

  /** Returns the author for a project of this kind. Throws CONFLICT if the kind needs a language model and there is none. */
  authorOf({ title, builtIn }: { readonly title: string; readonly builtIn: Author | null }): Author {
    const author = this.#set === null ? builtIn : languageModel(this.#set.resilient);
    if (author !== null) return author;
    throw new KodaError('CONFLICT', `Projects of the kind “${title}” need a language model. Choose one in the settings.`, {
      recovery: 'choose_model',
    });
  }

  /** Returns the state of the model service's circuit, or `null` if there is no model service. */
  circuit(): CircuitReport | null {
    return this.#set?.breaker.report() ?? null;
  }

  view(): ModelSettingsView {
    const { builtIn } = this.#deps;
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

  /** Checks the current models, or those in a request without storing them. Throws the same errors as `save`. */
  async check(request: ModelSettingsRequest | null, options: { signal: AbortSignal }): Promise<ModelCheck[]> {
    const set = request === null ? this.#set : this.#setFor(request);
    if (set !== null) return await checkModels(set.services, options);
    const { kind, name } = this.#deps.builtIn;
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

  #setFor(request: ModelSettingsRequest): ModelSet | null {
    const { environment, make } = this.#deps;
    const config = modelsFor(environment, afterRequest(environment, this.#stored, request));
    return config && make({ ...config, record: false });
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
      const { provider, baseUrl, orchestrator, generator } = stored;
      const models = { provider, baseUrl, orchestrator, generator, key: keyChange(before, stored) };
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
