import { describe, expect, it } from 'vitest';
import type { BudgetUsage } from '../projects/author.ts';
import { Budget, type Limits } from './budget.ts';
import type { ExecutedCall } from './loop-detection.ts';

const limits: Limits = { maxSteps: 10, maxIdenticalCalls: 5, maxRunMinutes: 2, maxTokens: 1_000, maxCostUsd: 0.5 };
const nothing: BudgetUsage = { steps: 0, tokens: 0, costUsd: 0, workedMs: 0 };
const stepAfter = (spent: Partial<BudgetUsage>) => () => new Budget(limits, () => ({ ...nothing, ...spent })).step();
const call = { name: 'run', input: { command: 'ls' } };
const answered = (count: number, content: (index: number) => string = () => '{}') =>
  Array.from({ length: count }, (_, index): ExecutedCall => ({ ...call, isError: false, content: content(index) }));
const check = (calls: ExecutedCall[]) => new Budget(limits, () => nothing).call(call, calls);

describe('budget of a run', () => {
  it.each<[string, Partial<BudgetUsage>, Partial<BudgetUsage>, string]>([
    ['steps', { steps: 9 }, { steps: 10 }, 'KODA_RUN_MAX_STEPS'],
    ['time', { workedMs: 119_999 }, { workedMs: 120_000 }, 'KODA_RUN_MAX_MINUTES'],
    ['tokens', { tokens: 999 }, { tokens: 1_000 }, 'KODA_RUN_MAX_TOKENS'],
    ['money', { costUsd: 0.49 }, { costUsd: 0.5 }, 'KODA_RUN_MAX_COST_USD'],
  ])('T17: uses the remaining %s, then stops with the name of the setting', (_what, within, over, setting) => {
    expect(stepAfter(within)).not.toThrow();
    expect(stepAfter(over)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining(setting) }),
    );
  });

  it('T17: counts the current usage, whatever caused it', () => {
    let tokens = 0;
    const budget = new Budget(limits, () => ({ ...nothing, tokens }));
    budget.step();
    tokens = 5_000;
    expect(() => budget.step()).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  it('T17: warns a looping model and stops it if the loop continues', () => {
    expect([0, 1, 2].map((count) => check(answered(count)))).toEqual([null, null, null]);
    expect(check(answered(3))).toMatch(/You have called run 3 times with the same result.*After 5 times/);
    expect(check(answered(4))).toContain('4 times');
    expect(() => check(answered(5))).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('it repeated run 5 times') }),
    );
  });

  it('T17: allows more repeated checks of something that changes', () => {
    const moving = (count: number) => answered(count, (index) => `{"percent":${index}}`);
    expect(check(moving(19))).toBeNull();
    expect(() => check(moving(20))).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });
});
