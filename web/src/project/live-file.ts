/** A file as the stream tells of it. `text` is null while its content is not known whole: then it is fetched. */
export interface LiveFile {
  readonly path: string;
  readonly text: string | null;
  readonly streaming: boolean;
  readonly deleted: boolean;
  /** Rises whenever the content changed, so that a fetched copy is known to be old. */
  readonly version: number;
}
