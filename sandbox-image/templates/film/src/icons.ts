export const icons: Readonly<Record<string, { readonly viewBox: string; readonly body: string }>> = {};
