import { z } from 'zod';
import { isWithinLimits } from '#contract/sandbox/payload-limits.ts';
import { chooseAction, submitAction } from '#contract/surface/question.ts';
import type { Pressed, ToolContext } from './context.ts';
import { allPhases, completed, defineKindTool, type OwnTool } from './tool.ts';

/** Entered values become a message or part of a model's context. */
const enteredLimits = { values: 1000, depth: 6, characters: 8_000 };
const enteredSchema = z
  .record(z.string(), z.unknown())
  .refine((value) => isWithinLimits(value, enteredLimits), 'the limit is 8,000 characters in 1,000 values');

function pressedOn({ pressed }: ToolContext): Pressed {
  if (pressed !== null) return pressed;
  throw new Error('This action belongs to the button of a surface.');
}

const answer = {
  category: 'communication',
  risk: 'low',
  // Durable once it returns, so a time limit could only hide what has happened.
  timeoutMs: 0,
  phases: allPhases,
  action: { returns: z.object({}) },
} as const;

/** The actions of every kind: both answer whoever has shown the surface. */
export const answeringActions: readonly OwnTool[] = [
  defineKindTool(
    chooseAction,
    { input: z.strictObject({ optionId: z.string().min(1) }), description: 'Answers the open question with one of its options.' },
    {
      ...answer,
      label: () => 'Choosing',
      async run({ optionId }, context) {
        await pressedOn(context).choose(optionId);
        return completed({}, 'Chosen');
      },
    },
  ),
  defineKindTool(
    submitAction,
    { input: enteredSchema, description: 'Sends the values of the surface to whoever has shown it.' },
    {
      ...answer,
      label: () => 'Answering',
      async run(values, context) {
        await pressedOn(context).submit(values);
        return completed({}, 'Answered');
      },
    },
  ),
];

/** What the buttons of surfaces can do in projects of one kind, by id. */
export class ActionRegistry {
  readonly #actions: ReadonlyMap<string, OwnTool>;

  /** Registers the tools that are declared as actions, beside those of every kind. Throws if two have the same id. */
  constructor(tools: readonly OwnTool[]) {
    const actions = [...answeringActions, ...tools.filter(({ action }) => action !== null)];
    const repeated = actions.find(({ name }, index) => actions.findIndex((other) => other.name === name) !== index);
    if (repeated !== undefined) throw new Error(`Two actions have the id “${repeated.name}”. Rename one.`);
    this.#actions = new Map(actions.map((action) => [action.name, action]));
  }

  find(id: string): OwnTool | null {
    return this.#actions.get(id) ?? null;
  }

  ids(): string[] {
    return [...this.#actions.keys()];
  }
}
