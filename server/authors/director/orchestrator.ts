import { isDeepStrictEqual } from 'node:util';
import { filmPath, type PlanDraft, planOfFilm, readFilm } from '../../contract/film.ts';
import { changeMessageId, maxTodoAttempts, type Todo } from '../../contract/project.ts';
import type { ToolName } from '../../contract/tools.ts';
import type { ModelMessage, ProjectFacts } from '../llm/models/model.ts';
import { briefOf, filmOf, planOf, questionOf } from './film-of.ts';
import { attemptsOf, type CallRecord, callsSince, lastFailure } from './transcript.ts';

/** What the orchestrator does next: words, and tool calls that may be made in one go. No calls = its turn ends. */
export interface Move {
  readonly say: string | null;
  readonly calls: readonly { readonly name: ToolName; readonly input: Record<string, unknown> }[];
}

/** One step of a todo: calls that belong together; the last one decides whether the step is done. */
interface Step {
  readonly name: ToolName;
  readonly input: Record<string, unknown>;
  readonly thinking: string;
}

const rest: Move = { say: null, calls: [] };
const call = (name: ToolName, input: Record<string, unknown>) => ({ name, input });

/** The next move, from the facts and what the calls so far came to. Pure: the same state gives the same move. */
export function nextMove(facts: ProjectFacts, transcript: readonly ModelMessage[]): Move {
  switch (facts.phase) {
    case 'idle':
      return firstMove(facts);
    case 'question':
      return askAgain();
    case 'plan':
      return proposePlan(facts);
    case 'executing':
      return workOn(facts, transcript);
    case 'preview':
      return { say: null, calls: [call('request_approval', { type: 'preview', content: previewWords(facts) })] };
    case 'complete':
    case 'error':
      return rest;
  }
}

function firstMove(facts: ProjectFacts): Move {
  const question = questionOf(facts, briefOf(facts));
  if (question === null) return proposePlan(facts);
  return {
    say: null,
    calls: [
      call('set_thinking', { message: 'Reading your sentence' }),
      call('request_approval', { type: 'question', content: question.content, options: question.options }),
    ],
  };
}

/** After a rejected plan: what should be different? */
function askAgain(): Move {
  return {
    say: null,
    calls: [
      call('request_approval', {
        type: 'question',
        content: 'That plan was not it. What should be different?',
        options: [
          { id: 'playful', label: 'More playful', description: 'Bouncy, quick, with overshoot.' },
          { id: 'smooth', label: 'Calmer and smoother', description: 'Slow, soft moves and a quiet palette.' },
          { id: 'cinematic', label: 'More cinematic', description: 'Dark ground, depth, a slow camera.' },
        ],
      }),
    ],
  };
}

function proposePlan(facts: ProjectFacts): Move {
  const plan = planOf(facts);
  const scenes = plan.scenes.length === 1 ? 'one scene' : `${plan.scenes.length} scenes`;
  const content = `${plan.durationSeconds} seconds in ${scenes}, ${plan.style}.${plan.caveat === null ? '' : ` ${plan.caveat}`}`;
  return {
    say: null,
    calls: [call('set_thinking', { message: `Planning ${scenes}` }), call('request_approval', { type: 'plan', content, plan })],
  };
}

function previewWords(facts: ProjectFacts): string {
  const changed = facts.todos.some((todo) => changeMessageId(todo.key) !== null);
  return changed
    ? 'Here is the changed film. Is it right now?'
    : 'Here is the preview. Accept it, or say what to change: colours, sizes, speed, texts, scenes.';
}

function workOn(facts: ProjectFacts, transcript: readonly ModelMessage[]): Move {
  const todo = facts.todos.find((candidate) => candidate.status !== 'done');
  if (todo === undefined || todo.status === 'failed') return rest;
  if (todo.status === 'pending') return { say: null, calls: [call('update_todo', { todo_id: todo.id, status: 'active' })] };

  const calls = callsSince(
    transcript,
    (record) => record.name === 'update_todo' && inputOf(record, 'todo_id') === todo.id && inputOf(record, 'status') === 'active',
  );
  const step = stepsOf(facts, todo, calls).find((candidate) => !calls.some((record) => isDone(record, candidate)));
  if (step === undefined) return { say: null, calls: [call('update_todo', { todo_id: todo.id, status: 'done' })] };
  if (attemptsOf(calls, step.name) >= maxTodoAttempts) return giveUp(todo, lastFailure(calls, step.name));
  return { say: null, calls: [call('set_thinking', { message: step.thinking }), call(step.name, step.input)] };
}

function giveUp(todo: Todo, evidence: string): Move {
  return {
    say: null,
    calls: [
      call('add_message', {
        content: `I tried “${todo.title}” ${maxTodoAttempts} times and it did not work. ${evidence}`.slice(0, 4000),
      }),
      call('update_todo', { todo_id: todo.id, status: 'failed' }),
    ],
  };
}

function stepsOf(facts: ProjectFacts, todo: Todo, calls: readonly CallRecord[]): Step[] {
  const [key, argument] = todo.key.split(':', 2);
  switch (key) {
    case 'setup':
      return [
        { name: 'sandbox_create', input: {}, thinking: 'Preparing the sandbox' },
        {
          name: 'generate_code',
          input: { task: 'initial_setup', style: filmOf(facts).style },
          thinking: 'Writing the palette and the film’s frame',
        },
        { name: 'sandbox_start_preview', input: {}, thinking: 'Starting the live preview' },
      ];
    case 'scene':
      return [
        {
          name: 'generate_code',
          input: { task: 'create_scene', scenes: [Number(argument)] },
          thinking: `Writing src/scenes/scene-${argument}.tsx`,
        },
      ];
    case 'change':
      return changeSteps(facts, argument ?? '', calls);
    case 'check':
      return [
        { name: 'sandbox_start_preview', input: {}, thinking: 'Starting the live preview' },
        { name: 'check_animation', input: {}, thinking: 'Checking the types and frames of every scene' },
      ];
    case 'preview':
      return [{ name: 'render_preview', input: {}, thinking: 'Rendering the preview' }];
    default:
      return [];
  }
}

/** A change is written, the plan follows it, and it is told in the words of the generator's summary (A9). */
function changeSteps(facts: ProjectFacts, messageId: string, calls: readonly CallRecord[]): Step[] {
  const change = facts.messages.find((message) => message.id === messageId)?.content ?? '';
  const written = calls.find((record) => record.name === 'generate_code' && !record.isError)?.output ?? {};
  const plan = changedPlan(facts, written.files);
  return [
    {
      name: 'generate_code',
      input: { task: 'modify_existing', files: [filmPath], change },
      thinking: 'Finding what the change touches',
    },
    ...(plan === null ? [] : [{ name: 'plan_update', input: { plan }, thinking: 'Bringing the plan up to date' } as const]),
    {
      name: 'add_message',
      input: { content: typeof written.summary === 'string' ? written.summary : 'Changed.' },
      thinking: 'Telling you what changed',
    },
  ];
}

/** The plan of the film that was written; null when it is still the accepted one. */
function changedPlan(facts: ProjectFacts, files: unknown): PlanDraft | null {
  const file = Array.isArray(files) ? files.findLast(({ path }) => path === filmPath) : undefined;
  if (file === undefined || facts.plan === null) return null;
  const { film } = readFilm(String(file.content));
  if (film === null) return null;
  const { id, revision, accepted, ...current } = facts.plan;
  const draft = planOfFilm(film, current.caveat);
  return isDeepStrictEqual(draft, current) ? null : draft;
}

/** Whether a call did what its step asks for: no error, no problems found. */
function isDone(record: CallRecord, step: Step): boolean {
  if (record.name !== step.name || record.isError) return false;
  if (record.name === 'check_animation') return record.output.ok === true;
  return true;
}

function inputOf(record: CallRecord, key: string): unknown {
  return record.input[key];
}
