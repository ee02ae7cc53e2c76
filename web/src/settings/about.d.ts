/** Made when the page is built (`web/licences/plugin.ts`). */
declare module 'virtual:about' {
  /** `commit` is null when it was built without its history; `date` as `2026-01-31`. */
  export const build: { readonly commit: string | null; readonly date: string };
  export const licences: import('../../licences/collect.ts').LicenceList;
}
