/** Drawings of the film's scenes, by name. */
export const icons: Readonly<Record<string, { readonly viewBox: string; readonly body: string }>> = {};
