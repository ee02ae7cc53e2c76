/** Generated when the studio is built (`web/licences/plugin.ts`). */
declare module 'virtual:build' {
  /** `commit` is `null` if the studio was built without the repository's history. `date` as `2026-01-31`. */
  const build: { readonly commit: string | null; readonly date: string };
  export default build;
}

declare module 'virtual:licences' {
  const licences: import('../../licences/collect.ts').LicenceList;
  export default licences;
}
