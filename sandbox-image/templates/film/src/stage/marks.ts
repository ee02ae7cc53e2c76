/** Marks a group as a body of the cast. The group has the name of its keyframes. */
export const bodyMark = { castBody: true } as const;
/** Marks a group as a scene's content. The group's name is the scene's id. */
export const sceneMark = { castScene: true } as const;
