import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ActionRegistry } from './action-registry.ts';
import { completed, defineKindTool } from './tool.ts';

const tool = (name: string, isAction = true) =>
  defineKindTool(
    name,
    { input: z.object({ grams: z.int() }), description: `Does ${name}.` },
    {
      ...({ category: 'communication', risk: 'medium', timeoutMs: 1_000, phases: ['executing'] } as const),
      ...(isAction && { action: { returns: z.object({ heavy: z.boolean() }) } }),
      label: () => name,
      run: async () => completed({ heavy: true }, 'Done'),
    },
  );

describe('the registry of actions', () => {
  it('V8: has the actions of every kind and those that a kind declares, and no other tools', () => {
    const registry = new ActionRegistry([tool('weigh'), tool('hide', false)]);
    expect(registry.ids()).toEqual(['choose_option', 'submit', 'weigh']);
    expect(registry.find('hide')).toBeNull();
  });

  it('V8: refuses a duplicate id', () => {
    expect(() => new ActionRegistry([tool('weigh'), tool('weigh')])).toThrow('Two actions have the id “weigh”.');
    expect(() => new ActionRegistry([tool('submit')])).toThrow('Two actions have the id “submit”.');
  });
});
