/** Conversations in which the person has acted in this tab, and no surface has appeared since. */
const acted = new Set<string>();

export const noteAct = (projectId: string): void => void acted.add(projectId);

/** Returns whether the person has caused the surface that appears now. Only the first one after an act counts. */
export const takeAct = (projectId: string): boolean => acted.delete(projectId);
