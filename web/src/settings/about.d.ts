/** Generated when the studio is built (`web/licences/plugin.ts`). */
declare module 'virtual:build' {
  const build: { readonly commit: string | null; readonly date: string };
  export default build;
}

declare module 'virtual:licences' {
  const licences: import('../../licences/collect.ts').LicenceList;
  export default licences;
}
