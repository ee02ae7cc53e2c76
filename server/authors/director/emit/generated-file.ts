/** A complete file of the project, its path relative to the workspace. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}
