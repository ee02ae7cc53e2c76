/** Made when the page is built (`web/licences/plugin.ts`). */
declare module 'virtual:build' {
  /** `commit` is null when it was built without its history; `date` as `2026-01-31`. */
  const build: { readonly commit: string | null; readonly date: string };
  export default build;
}

declare module 'virtual:licences' {
  const licences: import('../../licences/collect.ts').LicenceList;
  export default licences;
}
