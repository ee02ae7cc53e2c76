export const problemKinds = ['lost', 'corrupt', 'half', 'orphan', 'fault'] as const;

/**
 * lost: acknowledged and not there (or there again). corrupt: git or SQLite say so. half: there, and not whole.
 * orphan: there, and belongs to nothing. fault: an answer that no user should get, a server that ended by itself.
 */
export type ProblemKind = (typeof problemKinds)[number];

export interface Problem {
  readonly kind: ProblemKind;
  readonly what: string;
}
