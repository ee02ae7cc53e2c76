type Props = Readonly<Record<string, unknown>>;

interface Edit {
  readonly content: string;
  readonly shown: Props;
  /** The content of the scene's file before the first edit, and of every edit since. */
  readonly sent: Set<string>;
}

/**
 * Props that the studio sends while the user types, by scene. They replace those in the scene's file, which is updated a
 * second later.
 */
export class SceneEdits {
  readonly #files = new Map<string, string>();
  readonly #edits = new Map<string, Edit>();
  readonly #prepare: (sceneId: string, props: Props) => Props;

  /** `prepare` converts the props into those with which the scene is drawn. */
  constructor(prepare: (sceneId: string, props: Props) => Props) {
    this.#prepare = prepare;
  }

  /**
   * Handles the props of a file that was loaded or reloaded. The edit ends once the file matches it, or has content that was
   * never sent, because then someone else has changed the scene. A file that lags behind the typing does not end it.
   */
  loaded(sceneId: string, props: object): void {
    const content = contentOf(props);
    this.#files.set(sceneId, content);
    const edit = this.#edits.get(sceneId);
    if (edit !== undefined && (content === edit.content || !edit.sent.has(content))) this.#edits.delete(sceneId);
  }

  /** Replaces a scene's props; `null` restores those in its file. Ignores scenes that are unknown or written in code. */
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

  /** Returns the edited props (the same object until the next edit), or `null` if the file's props apply. */
  of(sceneId: string): Props | null {
    return this.#edits.get(sceneId)?.shown ?? null;
  }
}

/** Returns the same text for equal props, regardless of the order of their fields. */
function contentOf(props: object): string {
  return JSON.stringify(props, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
