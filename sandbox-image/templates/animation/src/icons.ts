/** The drawings that the film's scenes use, by name. */
export const icons: Readonly<Record<string, { readonly viewBox: string; readonly body: string }>> = {};
