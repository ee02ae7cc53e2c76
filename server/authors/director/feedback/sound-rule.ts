import type { Rule } from './rule.ts';

const told = (name: string) => `“${name}” plays from the beginning and fades out at the end.`;

/** "use beat.mp3", "add music", "without sound". */
export const soundRule: Rule = ({ film, facts, assets }) => {
  const { sound, actions, negated } = facts;
  if (sound === null && !facts.unsupported.includes('sound')) return null;
  if (negated || actions.includes('remove')) {
    if (film.music === null) return { film, told: 'There is no sound to take away.', refused: true };
    return { film: { ...film, music: null }, told: 'The film is silent now.' };
  }
  const next = sound ?? assets.findLast(({ kind }) => kind === 'audio');
  if (next === undefined)
    return { film, told: 'Sound cannot be made from words here. Upload a sound file, then ask for it.', refused: true };
  if (film.music === next.path) return { film, told: `“${next.name}” plays already.`, refused: true };
  return { film: { ...film, music: next.path }, told: told(next.name) };
};
