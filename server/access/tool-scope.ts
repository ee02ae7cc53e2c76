import type { ToolCategory } from '#contract/tools.ts';
import type { Tool } from '../tools/tool.ts';
import type { Scope } from './caller.ts';

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
