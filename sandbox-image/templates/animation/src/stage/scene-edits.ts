type Props = Readonly<Record<string, unknown>>;

interface Edit {
  readonly content: string;
  readonly shown: Props;
  /** The content of the scene's file before the first edit, and of every edit since. */
  readonly sent: Set<string>;
}

/**
 * The props that the studio sends while the user types, by scene. They replace those of the scene's file, which follows
 * a second later.
 */
export class SceneEdits {
  readonly #files = new Map<string, string>();
  readonly #edits = new Map<string, Edit>();
  readonly #prepare: (sceneId: string, props: Props) => Props;

  /** `prepare` makes of the props what the scene is drawn with. */
  constructor(prepare: (sceneId: string, props: Props) => Props) {
    this.#prepare = prepare;
  }

  /**
   * Takes the props of a file that was loaded or reloaded. The edit ends once the file has its content, or has content that
   * was never sent: somebody else changed the scene then. A file that lags behind the typing does not end it.
   */
  loaded(sceneId: string, props: object): void {
    const content = contentOf(props);
    this.#files.set(sceneId, content);
    const edit = this.#edits.get(sceneId);
    if (edit !== undefined && (content === edit.content || !edit.sent.has(content))) this.#edits.delete(sceneId);
  }

  /** Replaces the props of a scene; null restores those of its file. Ignores scenes that are unknown or written in code. */
  replace(sceneId: string, props: Props | null): void {
    const file = this.#files.get(sceneId);
    if (file === undefined) return;
    const content = props === null ? file : contentOf(props);
    if (props === null || content === file) {
      this.#edits.delete(sceneId);
      return;
    }
    const sent = this.#edits.get(sceneId)?.sent ?? new Set([file]);
    this.#edits.set(sceneId, { content, shown: this.#prepare(sceneId, props), sent: sent.add(content) });
  }

  /** Returns the edited props, the same object until the next edit; null if the file's props count. */
  of(sceneId: string): Props | null {
    return this.#edits.get(sceneId)?.shown ?? null;
  }
}

/** The same for equal props, whatever the order of their fields. */
function contentOf(props: object): string {
  return JSON.stringify(props, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
