import type { ProjectFacts } from '../authors/llm/models/model.ts';
import type { ProjectState } from '../storage/projects.ts';

/** The state of a project as the models see it. */
export function factsOf(state: ProjectState, files: ProjectFacts['files']): ProjectFacts {
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
    files,
  };
}
