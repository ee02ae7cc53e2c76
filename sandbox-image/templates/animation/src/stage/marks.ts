/** A group with this mark is a body of the cast; its name is that of its keyframes. */
export const bodyMark = { castBody: true } as const;
/** A group with this mark holds what a scene shows; its name is the scene's id. */
export const sceneMark = { castScene: true } as const;
