/** Marks a group as a body of the cast. The group's name is that of its keyframes. */
export const bodyMark = { castBody: true } as const;
/** Marks a group as the content of a scene. The group's name is the scene's id. */
export const sceneMark = { castScene: true } as const;
