import { describe, expect, it } from 'vitest';
import type { Scope } from '#contract/access.ts';
import { localPerson } from '../access/access.ts';
import { scopeOf, scopes } from '../access/policies.ts';
import { filmKind } from '../kinds/film/kind.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import { allTools } from '../tools/catalogue.ts';
import { authorize } from './calls.ts';

const tools = [...allTools, ...filmKind.ownTools];
const project = { id: 'prj_0123456789abcdefghjk' } as ProjectRecord;
const client = (granted: readonly Scope[], projects: 'all' | ReadonlySet<string> = 'all') => ({
  ...{ type: 'program' as const, id: 'tok_1', name: 'Claude Code', projects },
  scopes: new Set(granted),
});

describe('authorisation of other programs', () => {
  it('G11: maps each tool to a scope', () => {
    const scopeByTool = Object.fromEntries(tools.map((tool) => [tool.name, scopeOf(tool)]));
    expect(scopeByTool).toMatchObject({
      ...{ sandbox_read_file: 'read', sandbox_list_files: 'read', match_grep: 'read', list_formats: 'read' },
      ...{ sandbox_write_file: 'write', file_edit: 'write', apply_code: 'write', set_scenes: 'write', plan_update: 'write' },
      ...{ sandbox_run_command: 'run', shell_exec: 'run', shell_send: 'run', sandbox_destroy: 'run', browser_click: 'run' },
      ...{ render_preview: 'render', render_final: 'render' },
    });
  });

  it('G11: allows a tool if the caller has its scope, and only then', () => {
    for (const tool of tools) {
      const needed = scopeOf(tool);
      expect(() => authorize(client([needed]), project, tool), tool.name).not.toThrow();
      const others = scopes.filter((scope) => scope !== needed);
      expect(() => authorize(client(others), project, tool), tool.name).toThrow(`the scope “${needed}”`);
    }
  });

  it('G11: other projects do not exist for a caller, whatever its scopes', () => {
    for (const tool of tools) {
      const foreign = client(scopes, new Set(['prj_aaaaaaaaaaaaaaaaaaaa']));
      expect(() => authorize(foreign, project, tool), tool.name).toThrow('There is no project');
      expect(() => authorize(client(scopes, new Set([project.id])), project, tool), tool.name).not.toThrow();
    }
  });

  it('G11: does not limit the user', () => {
    for (const tool of tools) expect(() => authorize(localPerson, project, tool)).not.toThrow();
  });
});
