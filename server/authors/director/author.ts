import type { Author } from '../author.ts';

/** Loaded with the first film that is asked for: its rules and tables are a fifth of the server's code, and of its start. */
const rules = () => import('./director.ts');

/**
 * The built-in author: no key, no network, no waiting. Pure functions from the facts of a project to its question, its plan
 * and its files; the same facts give the same film.
 */
export const director: Author = {
  kind: 'director',
  name: 'Koda director (built in)',
  mends: false,
  // It keeps none.
  resumes: (transcript) => transcript.length === 0,
  ask: async (facts) => (await rules()).questionFor(facts),
  plan: async (facts) => (await rules()).proposalFor(facts),
  revise: async (facts) => (await rules()).proposalFor(facts),
  write: async (assignment) => (await rules()).filesFor(assignment),
};
