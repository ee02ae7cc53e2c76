/** One spelling for look-ups: lower case, no accents, straight apostrophes, `ß` as ss. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/œ/g, 'oe')
    .replace(/[’‘ʼ`´]/g, "'");
}
