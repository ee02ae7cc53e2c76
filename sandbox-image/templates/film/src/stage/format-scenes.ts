/** Scenes that only a format draws. Renderers may capture them in a faster way, which not all CSS allows. */
const ids = new Set<string>();

/** Call in a layout effect of a scene, which runs before the stage describes the film. Returns a function that undoes it. */
export function declareFormatScene(id: string): () => void {
  ids.add(id);
  return () => ids.delete(id);
}

export function isFormatScene(id: string): boolean {
  return ids.has(id);
}
