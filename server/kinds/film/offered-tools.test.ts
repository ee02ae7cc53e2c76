import { expect, it } from 'vitest';
import { noFacts } from '../../../test/fixtures/facts.ts';
import { allTools } from '../../tools/catalogue.ts';
import { refusalOf } from '../../tools/refusal.ts';
import { ToolRegistry } from '../../tools/tool.ts';
import { filmKind } from './kind.ts';
import { offeredTools } from './offered-tools.ts';

const tools = new ToolRegistry([...allTools, ...filmKind.ownTools]);
const offered = (phase: 'plan' | 'executing' | 'preview', parts = {}) => {
  const names = offeredTools({ ...noFacts, phase, ...parts });
  return tools.all().filter(({ name }) => names.includes(name));
};
const refuse = (name: string) => refusalOf(name, { offered: offered('executing'), tools, phase: 'executing' })?.message;

it('46.3: offers a film’s model few tools, without shells, browser and surfaces', () => {
  const names = offered('executing').map(({ name }) => name);
  expect(names).toHaveLength(17);
  expect(names.filter((name) => /^(shell|browser)_|surface|sandbox_(write|process|destroy)/.test(name))).toEqual([]);
  const definitions = offered('executing').map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  // All 40 took 29,700 characters of every request.
  expect(JSON.stringify(definitions).length).toBeLessThan(17_000);
  expect(offered('preview')).toEqual(offered('executing'));
});

it('46.3: offers what the uploads and messages need', () => {
  const names = offered('executing', {
    assets: [{}],
    todos: [{ id: 't', key: 'change:msg_1', title: '', status: 'active', attempts: 1 }],
  }).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['file_view', 'render_final']));
});

it('46.3: names the tool to use instead of one that is not offered', () => {
  expect(refuse('generate_code')).toBeUndefined();
  expect(refuse('shell_exec')).toBe('shell_exec is not offered here. Use sandbox_run_command.');
  expect(refuse('plan_advance')).toBe('plan_advance is not offered here. Use update_todo.');
  expect(refuse('sandbox_destroy')).toMatch(/not offered here\. Use one of: .*update_todo/);
});

it('46.3: says that an unknown name is a value of another tool', () => {
  expect(refuse('create_scene')).toBe(
    '"create_scene" is not a tool but a value of "task": call generate_code with "task": "create_scene".',
  );
  expect(refuse('make_film')).toMatch(/^The tool "make_film" does not exist\. Use one of: /);
  expect(refuse('make_film')).not.toContain('shell_exec');
});
