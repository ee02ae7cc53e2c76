import type { ProjectFacts } from '../authors/author.ts';
import type { ProjectState } from '../storage/projects.ts';

/** The state of a project as authors see it. */
export function factsOf(state: ProjectState): ProjectFacts {
  const { project } = state;
  return {
    projectId: project.id,
    phase: project.phase,
    prompt: project.prompt,
    hints: project.hints,
    plan: state.plan,
    todos: state.todos,
    messages: state.messages,
    settled: state.settled,
    assets: state.assets,
  };
}
