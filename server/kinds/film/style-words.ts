import type { Style } from '../../contract/film.ts';

/** Words that state or imply how a film moves, in English, German, French and Spanish. */
const words: readonly (readonly [Style, string])[] = [
  [
    'playful',
    'playful|playfully|fun|funny|bouncy|cheerful|cartoon|happy|joyful|silly|quirky|whimsical|lively|cute|festive|pixar',
  ],
  ['playful', 'kids|children|birthday|party|verspielt|verspielte|lustig|lustige|fröhlich|witzig|geburtstag|kinder'],
  ['playful', 'ludique|amusant|joyeux|rigolo|enfants|anniversaire|divertido|divertida|alegre|niños|cumpleaños'],
  ['smooth', 'smooth|smoothly|minimal|minimalist|elegant|clean|calm|calmer|corporate|professional|sleek|subtle|modern|serene'],
  ['smooth', 'simple|quiet|gentle|stripe|apple|google|linear|dashboard|saas|minimalistisch|schlicht|ruhig|dezent|professionell'],
  [
    'smooth',
    'élégant|élégante|minimaliste|épuré|calme|sobre|professionnel|elegante|minimalista|limpio|tranquilo|suave|profesional',
  ],
  ['cinematic', 'cinematic|dramatic|epic|moody|filmic|atmospheric|noir|mysterious|blockbuster|majestic|trailer|netflix|filmisch'],
  ['cinematic', 'dramatisch|episch|düster|geheimnisvoll|cinématographique|dramatique|épique|cinematográfico|dramático|épico'],
];
const styleOf = new Map(words.flatMap(([style, list]) => list.split('|').map((word) => [word, style] as const)));

/** The style that a text names first; null if it names none. */
export function styleIn(text: string): Style | null {
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const style = styleOf.get(word);
    if (style !== undefined) return style;
  }
  return null;
}
