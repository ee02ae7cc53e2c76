import type { Film } from '#kinds/film/contract/film.ts';
import { darkThemes } from '#kinds/film/contract/themes.ts';
import type { FilmAsset } from '../plan-film.ts';
import { tokensOf } from '../read/lexicon.ts';
import { aspectIn, colorsOf, styleIn } from '../read/looks.ts';
import { themes as themeNames } from '../read/reading.ts';
import type { Change, Changed } from './change.ts';
import { withProps } from './change.ts';

/** Fields that show an uploaded image, by format. */
const imageFields: Readonly<Record<string, string>> = {
  logo: 'asset',
  'end-card': 'logo',
  quote: 'portrait',
  mockup: 'screenshot',
  'social-post': 'avatar',
};

const changeAsset: Change = ({ film, assets }, clause) => {
  const name = /[\p{L}\p{N}_.-]+\.(?:png|jpe?g|svg|webp|gif|mp3|wav|ogg|m4a|aac|flac)\b/iu.exec(clause)?.[0];
  const isMusic = /\b(?:music|song|soundtrack|musik|musique|música)\b/iu.test(clause);
  if (name === undefined && isMusic) return changeMusic({ film, assets }, clause);
  const isLogo = name === undefined && /\b(?:use|add|show|put|verwende|zeig|utilise|usa|pon)\b.*\blogo\b/iu.test(clause);
  if (name === undefined && !isLogo) return null;
  const asset =
    name === undefined
      ? assets.find((each) => each.kind === 'image' && /logo/iu.test(each.name))
      : assets.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (asset === undefined) return { film: null, note: `I found no upload named ${name ?? 'logo'}. Upload it first.` };
  if (asset.kind === 'audio')
    return { film: { ...film, music: asset.path }, note: `${asset.name} now plays throughout the film.` };
  if (asset.kind === 'font')
    return { film: null, note: 'I cannot use font files. A language model can; you can choose one in the settings.' };
  return showImage(film, asset);
};

const changeMusic: Change = ({ film, assets }, clause) => {
  if (/\b(?:no|without|remove|stop|ohne|keine|sans|enlève|sin|quita)\b/iu.test(clause))
    return film.music === null
      ? { film: null, note: 'The film has no music.' }
      : { film: { ...film, music: null }, note: 'The film no longer has music.' };
  const audio = assets.find(({ kind }) => kind === 'audio');
  return audio === undefined
    ? { film: null, note: 'I cannot create music. Upload an audio file, then ask me to use it.' }
    : { film: { ...film, music: audio.path }, note: `${audio.name} now plays throughout the film.` };
};

function showImage(film: Film, asset: FilmAsset): Changed {
  for (const wanted of ['logo', 'end-card', 'mockup', 'social-post', 'quote'])
    for (const [index, scene] of film.scenes.entries()) {
      const field = 'format' in scene && scene.format === wanted ? imageFields[wanted] : undefined;
      if (field === undefined || !('props' in scene)) continue;
      const changed = withProps(film, index, { ...(scene.props as object), [field]: asset.path });
      if (changed !== null) return { film: changed, note: `Scene ${index + 1} now shows ${asset.name}.` };
    }
  return { film: null, note: 'No scene in this film can show an image. Ask for an end card or a logo reveal first.' };
}

const darkWord = /\b(?:dark|darker|dunkel|dunkler|sombre|oscuro|noir)\b/iu;
const lightWord = /\b(?:light|lighter|bright|brighter|hell|heller|clair|claro)\b/iu;

const changeTheme: Change = ({ film }, clause) => {
  const words = tokensOf(clause).map(({ word }) => word);
  const theme = themeNames.find((name) => words.includes(name));
  if (theme !== undefined && Object.keys(colorsOf([clause])).length === 0 && words.length <= 7) {
    if (theme === film.theme) return { film: null, note: `The film already has the ${theme} theme.` };
    return { film: { ...film, theme }, note: `The film now has the ${theme} theme.` };
  }
  const [isDark, isLight] = [darkWord.test(clause), lightWord.test(clause)];
  if (isDark === isLight || Object.keys(colorsOf([clause.replace(darkWord, '').replace(lightWord, '')])).length > 0) return null;
  if (darkThemes.has(film.theme) === isDark && film.colors.ground === undefined)
    return { film: null, note: `The film is already ${isDark ? 'dark' : 'light'}.` };
  const { ground: _, ...colors } = film.colors;
  return {
    film: { ...film, theme: isDark ? 'midnight' : 'studio', colors },
    note: `The film is now ${isDark ? 'dark' : 'light'}.`,
  };
};

const changeColors: Change = ({ film }, clause) => {
  const found = colorsOf([clause]);
  const hex = Object.values(found)[0];
  if (hex === undefined) return null;
  const roleNames: readonly (readonly [keyof Film['colors'], RegExp, string])[] = [
    ['ground', /background|hintergrund|\bfond\b|fondo|arrière/iu, 'background'],
    [
      'ink',
      /\b(?:title|titles|text|texts|words|letters|font|headline|titel|schrift|überschrift|titre|texte|lettres|título|texto|letras)\b/iu,
      'text',
    ],
    ['helper', /\b(?:second(?:ary)? colou?r|zweite farbe|couleur secondaire)\b/iu, 'second colour'],
  ];
  const roles = roleNames.filter(([, pattern]) => pattern.test(clause));
  const colors: Film['colors'] =
    Object.keys(found).length > 1 ? { ...film.colors, ...found } : { ...film.colors, [roles[0]?.[0] ?? 'accent']: hex };
  const what = Object.keys(found).length > 1 ? 'The colours are now' : `The ${roles[0]?.[2] ?? 'accent colour'} is now`;
  return { film: { ...film, colors }, note: `${what} ${Object.values(found).join(' and ')}.` };
};

const changeAspect: Change = ({ film }, clause) => {
  const aspect = aspectIn(clause) ?? platformAspect(clause);
  if (aspect === null) return null;
  if (aspect === film.aspect) return { film: null, note: `The film is already ${aspect}.` };
  return { film: { ...film, aspect }, note: `The film is now ${aspect}.` };
};

function platformAspect(clause: string): Film['aspect'] | null {
  if (/\b(?:instagram|insta|tiktok)\b/iu.test(clause)) return '9:16';
  return /\byoutube\b/iu.test(clause) ? '16:9' : null;
}

const smoother = /\b(?:smoother|calmer|softer|ruhiger|sanfter|plus (?:doux|calme)|más (?:suave|tranquilo))\b/iu;
const livelier = /\b(?:livelier|funnier|happier|lustiger|fröhlicher|plus (?:drôle|gai)|más (?:divertido|alegre))\b/iu;

function comparedStyle(clause: string): Film['style'] | null {
  if (smoother.test(clause)) return 'smooth';
  return livelier.test(clause) ? 'playful' : null;
}

const changeStyle: Change = ({ film }, clause) => {
  const style = comparedStyle(clause) ?? styleIn(clause);
  if (style === null) return null;
  if (style === film.style) return { film: null, note: `The film is already ${style}.` };
  return { film: { ...film, style }, note: `The film now has the ${style} style.` };
};

export const lookChanges: readonly Change[] = [changeAsset, changeColors, changeTheme, changeAspect, changeStyle];
