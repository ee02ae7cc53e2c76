import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { type Phase, phaseSchema } from '#contract/project.ts';
import { allowedTransitions, nextPhase, type PhaseCommand } from './phases.ts';

const commands: PhaseCommand[] = [
  'answer',
  'accept_plan',
  'change_plan',
  'reject_plan',
  'accept_preview',
  'feedback',
  'edit',
  'start_turn',
  'retry',
  'ask',
  'propose_plan',
  'preview_rendered',
  'end_turn',
  'fail',
];

describe('phase machine', () => {
  it('A1: allows exactly the required transitions', () => {
    const required = new Set([
      'idle→question',
      'idle→plan',
      'question→plan',
      'plan→executing',
      'plan→plan',
      'plan→question',
      'executing→preview',
      'executing→error',
      'preview→complete',
      'preview→executing',
      'complete→executing',
      'error→executing',
      'executing→conversation',
      'conversation→executing',
      ...phaseSchema.options.map((phase) => `${phase}→error`),
    ]);
    const questions = ['question', 'executing', 'preview', 'complete', 'conversation'].map((phase) => `${phase}→${phase}`);
    expect(allowedTransitions()).toEqual(new Set([...required, ...questions]));
  });

  it('A1: refuses every other transition with INVALID_TRANSITION and advice', () => {
    let refusals = 0;
    for (const phase of phaseSchema.options) {
      for (const command of commands) {
        try {
          const next = nextPhase(phase, command);
          expect(allowedTransitions().has(`${phase}→${next}`)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(KodaError);
          expect((error as KodaError).code).toBe('INVALID_TRANSITION');
          expect((error as KodaError).recovery).not.toBeNull();
          refusals += 1;
        }
      }
    }
    expect(refusals).toBe(phaseSchema.options.length * commands.length - 33);
  });

  it.each<[Phase, PhaseCommand, Phase]>([
    ['idle', 'propose_plan', 'plan'],
    ['plan', 'accept_plan', 'executing'],
    ['executing', 'preview_rendered', 'preview'],
    ['preview', 'accept_preview', 'complete'],
    ['error', 'retry', 'executing'],
  ])('A1: %s –%s→ %s', (from, command, to) => {
    expect(nextPhase(from, command)).toBe(to);
  });
});
