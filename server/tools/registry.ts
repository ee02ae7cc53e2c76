import type { Phase } from '../contract/project.ts';
import type { Risk, ToolCategory } from '../contract/tools.ts';
import type { ToolContext } from './context.ts';
import { failed, type Tool, type ToolAnswer } from './define.ts';

/** The tools of one agent, by name. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>;

  constructor(tools: readonly Tool[]) {
    const byName = new Map(tools.map((tool) => [tool.name as string, tool]));
    if (byName.size !== tools.length) throw new Error('Two tools have the same name.');
    this.#tools = byName;
  }

  all(): Tool[] {
    return [...this.#tools.values()];
  }

  offeredIn(phase: Phase): Tool[] {
    return this.all().filter((tool) => tool.phases.includes(phase));
  }

  byCategory(category: ToolCategory): Tool[] {
    return this.all().filter((tool) => tool.category === category);
  }

  byRisk(risk: Risk): Tool[] {
    return this.all().filter((tool) => tool.risk === risk);
  }

  /** Whether a call changes nothing, so that it may be made beside others. */
  isReadOnly(name: string): boolean {
    return this.#tools.get(name)?.readOnly ?? false;
  }

  /** One line for the user about a call. */
  label(name: string, input: unknown): string {
    return this.#tools.get(name)?.label(input) ?? name;
  }

  /** Calls a tool by name; an unknown name, or one that is not offered in this phase, is an answer that says which are. */
  async call(name: string, input: unknown, phase: Phase, context: ToolContext): Promise<ToolAnswer> {
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      return failed('UNKNOWN_TOOL', `There is no tool "${name}". The tools are: ${[...this.#tools.keys()].join(', ')}.`);
    }
    if (!tool.phases.includes(phase)) {
      const offered = this.offeredIn(phase).map((other) => other.name);
      return failed(
        'UNKNOWN_TOOL',
        `${name} is not offered while the project is in the phase "${phase}". Offered now: ${offered.join(', ')}.`,
      );
    }
    return tool.call(input, context);
  }
}
