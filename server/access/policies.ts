import type { z } from 'zod';
import { scopeSchema } from '#contract/access.ts';
import type { Principal } from '#contract/principal.ts';
import type { ToolCategory } from '#contract/tools.ts';
import type { Tool } from '../tools/tool.ts';

/**
 * Who is at the door, and may do what. The doors and the tools ask here, and nowhere else. A person may do everything, a program
 * what its token says.
 */

export const scopes = scopeSchema.options;
export type Scope = z.infer<typeof scopeSchema>;

interface Rights {
  readonly scopes: ReadonlySet<Scope>;
  /** Ids of the projects that exist for the caller. */
  readonly projects: 'all' | ReadonlySet<string>;
}

/** A person or a program at one of Koda's doors, with its rights. A program's id is that of its token. Names are not unique. */
export type Caller = Readonly<Exclude<Principal, { type: 'koda' }>> & Rights;

/** Returns who a caller is, without rights, which may change. */
export const principalOf = ({ type, id, name }: Caller): Principal => ({ type, id, name });

/** Returns whether a project exists for the caller. Without that, no other right counts. */
export const mayAccessProject = ({ projects }: Caller, projectId: string): boolean =>
  projects === 'all' || projects.has(projectId);

/** Returns whether the caller may create projects. One that is limited to some projects may not even see a new one. */
export const mayCreateProjects = ({ projects }: Caller): boolean => projects === 'all';

/** Returns whether the caller may do what needs a scope, in the projects that exist for it. */
export const hasScope = ({ scopes }: Caller, scope: Scope): boolean => scopes.has(scope);

/** Returns whether the caller may use the whole API, with settings, tokens and backups. Programs use MCP instead. */
export const mayUseStudio = ({ type }: Caller): boolean => type === 'person';

/** Returns whether a principal may permit calls that send data out, whatever a program has seen before. */
export const mayGivePermission = ({ type }: Principal): boolean => type === 'person';

/** Scope of the tools that change something. Whatever executes a project's code needs `run`. */
const scopeOfCategory: Readonly<Record<ToolCategory, Scope>> = {
  file: 'write',
  code: 'write',
  plan: 'write',
  communication: 'write',
  search: 'read',
  outside: 'run',
  sandbox: 'run',
  command: 'run',
  shell: 'run',
  browser: 'run',
  preview: 'run',
  render: 'render',
};

/** Returns the scope that a caller needs for a tool. */
export function scopeOf({ readOnly, category }: Pick<Tool, 'readOnly' | 'category'>): Scope {
  return readOnly ? 'read' : scopeOfCategory[category];
}
