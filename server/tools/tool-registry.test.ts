import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolNames } from '#contract/tools.ts';
import { filmKind } from '../kinds/film/kind.ts';
import { availableTools } from './catalogue.ts';
import type { ToolContext } from './context.ts';
import { completed, defineTool, ToolRegistry } from './tool.ts';

const context = (signal = new AbortController().signal) =>
  ({ projectId: 'prj_x', signal, waitsForSandbox: () => false }) as ToolContext;
const coreTools = availableTools({ searxngUrl: 'http://localhost:8888', speech: null });
const everyTool = [...coreTools, ...filmKind.ownTools];
const options = { category: 'communication', risk: 'low', timeoutMs: 50, phases: ['executing'], label: () => 'x' } as const;

describe('tool registry', () => {
  it('T1: contains every tool of the contract with a description', () => {
    expect(new Set(coreTools.map((tool) => tool.name))).toEqual(new Set(toolNames));
    const sections = readFileSync(new URL('./descriptions.md', import.meta.url), 'utf8').match(/^## .+$/gm) ?? [];
    expect(sections.map((line) => line.slice(3)).sort()).toEqual([...toolNames, 'plan_update', 'request_approval'].sort());
  });

  it('T1: finds tools by category and by risk', () => {
    const registry = new ToolRegistry(everyTool);
    expect(registry.byCategory('file').map((tool) => tool.name)).toContain('sandbox_write_file');
    expect(registry.byRisk('medium').map((tool) => tool.name)).toContain('sandbox_run_command');
  });

  it('T1: lists the existing names for an unknown tool', async () => {
    const answer = await new ToolRegistry(everyTool).call('write_file', {}, 'executing', context());
    expect(answer).toMatchObject({
      status: 'error',
      code: 'UNKNOWN_TOOL',
      message: expect.stringContaining('sandbox_write_file'),
    });
  });

  it('T1: does not run a tool outside its phases, so nothing is generated before the plan is accepted', async () => {
    const answer = await new ToolRegistry(everyTool).call(
      'generate_code',
      { task: 'initial_setup', style: 'smooth' },
      'plan',
      context(),
    );
    expect(answer).toMatchObject({ status: 'error', code: 'UNKNOWN_TOOL', message: expect.stringContaining('request_approval') });
  });

  it('T1: refuses invalid input before it runs a tool, and names the field', async () => {
    let ran = false;
    const tool = defineTool('set_thinking', {
      ...options,
      run: async () => {
        ran = true;
        return completed({}, '');
      },
    });
    expect(await tool.call({ message: 'x'.repeat(101) }, context())).toMatchObject({
      status: 'error',
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('message'),
    });
    expect(ran).toBe(false);
  });

  it('T1: ends a call at its time limit and aborts its signal', async () => {
    let aborted = false;
    const tool = defineTool('set_thinking', {
      ...options,
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(signal.reason);
          });
        }),
    });
    expect(await tool.call({ message: 'x' }, context())).toMatchObject({ status: 'error', code: 'TOOL_TIMEOUT' });
    expect(aborted).toBe(true);
  });

  it('T1: a cancelled call reports CANCELLED, whatever the tool throws', async () => {
    const controller = new AbortController();
    const tool = defineTool('set_thinking', {
      ...options,
      run: async () => {
        controller.abort();
        throw new Error('socket hang up');
      },
    });
    expect(await tool.call({ message: 'x' }, context(controller.signal))).toMatchObject({ status: 'error', code: 'CANCELLED' });
  });

  it('T1: identifies read-only tools, which may run in parallel', () => {
    const reading = new ToolRegistry(everyTool).all().filter((tool) => tool.readOnly);
    expect(reading.map((tool) => tool.name).sort()).toEqual([
      'browser_console',
      'browser_extract',
      'browser_screenshot',
      'file_view',
      'list_formats',
      'match_glob',
      'match_grep',
      'sandbox_list_files',
      'sandbox_read_file',
      'sandbox_screenshot',
    ]);
  });

  it('T1: saves after calls that may change files, and not after read-only ones', async () => {
    let saves = 0;
    const keeping = {
      ...context(),
      saveWork: async () => {
        saves++;
      },
    };
    const run = async () => completed({}, '');
    await defineTool('set_thinking', { ...options, category: 'file', readOnly: true, run }).call({ message: 'x' }, keeping);
    expect(saves).toBe(0);
    await defineTool('set_thinking', { ...options, category: 'file', run }).call({ message: 'x' }, keeping);
    expect(saves).toBe(1);
  });
});
