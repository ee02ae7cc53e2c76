export const problemKinds = ['lost', 'corrupt', 'half', 'orphan', 'fault'] as const;

/**
 * lost: acknowledged but missing (or restored). corrupt: reported by git or SQLite. half: incomplete. orphan: data without an
 * owner. fault: a response that no user should get, or an unexpected exit.
 */
export type ProblemKind = (typeof problemKinds)[number];

export interface Problem {
  readonly kind: ProblemKind;
  readonly what: string;
}
