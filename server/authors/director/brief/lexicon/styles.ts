import type { Aspect, Style } from '../../../../contract/film.ts';
import type { Sense, StyleSource } from '../sense.ts';
import type { WordRow } from './modifiers.ts';

const style = (value: Style, source: StyleSource, compared = false): Sense => ({ kind: 'style', style: value, source, compared });
const aspect = (value: Aspect): Sense => ({ kind: 'aspect', aspect: value });
const technique = (value: Style | null): Sense => ({ kind: 'technique', style: value });

export const styleRows: readonly WordRow[] = [
  [
    style('playful', 'stated'),
    {
      en: 'playful|playfully|fun|funny|bouncy|cheerful|cheerfully|cartoon|cartoony|cartoonish|happy|joyful|silly|quirky|whimsical|lively|cute|childlike|kawaii|goofy|zany|festive',
      de: 'verspielt|verspielte|verspielter|verspieltes|spielerisch|lustig|lustige|lustiger|fröhlich|fröhliche|fröhlicher|witzig|niedlich',
      fr: 'ludique|amusant|amusante|joyeux|joyeuse|rigolo|enfantin|drôle',
      es: 'juguetón|juguetona|divertido|divertida|alegre|lúdico|lúdica',
    },
  ],
  [
    style('smooth', 'stated'),
    {
      en: 'smooth|smoothly|minimal|minimalist|minimalistic|elegant|elegantly|clean|calm|calming|corporate|professional|sleek|subtle|refined|modern|serene|relaxing|relaxed|peaceful|zen|sophisticated|business|quiet|tranquil|simple',
      de: 'minimalistisch|elegant|elegante|schlicht|ruhig|ruhige|ruhiger|sauber|dezent|professionell|edel|fließend|sanfte|glatt|modern|seriös',
      fr: 'élégant|élégante|minimaliste|minimal|épuré|épurée|calme|sobre|fluide|professionnel|professionnelle|raffiné',
      es: 'elegante|minimalista|limpio|limpia|tranquilo|tranquila|suave|profesional|fluido|sobrio',
    },
  ],
  [
    style('cinematic', 'stated'),
    {
      en: 'cinematic|cinematically|dramatic|dramatically|epic|moody|filmic|atmospheric|suspenseful|intense mood|noir|mysterious|movie like|blockbuster|grand|majestic',
      de: 'filmisch|filmische|dramatisch|dramatische|dramatischer|episch|episches|düster|düstere|kinoreif|stimmungsvoll|geheimnisvoll',
      fr: 'cinématographique|cinématique|dramatique|épique|mystérieux',
      es: 'cinematográfico|cinematográfica|cinemático|cinemática|dramático|dramática|épico|épica|misterioso',
    },
  ],
  [
    style('playful', 'implied'),
    {
      en: 'pixar|like pixar|disney|looney tunes|nintendo|duolingo|kurzgesagt|lego|mario|like a cartoon|for kids|for children|kids|birthday|party|happy birthday|happy new year|happy halloween',
      de: 'für kinder|geburtstag',
      fr: 'pour enfants|anniversaire',
      es: 'para niños|cumpleaños',
    },
  ],
  [
    style('smooth', 'implied'),
    {
      en: 'stripe|like stripe|stripe website|like the stripe website|apple|apple like|like apple|apple keynote|google|material design|linear|notion|vercel|dashboard|corporate video|saas|fintech|like an apple keynote|muji|bauhaus',
    },
  ],
  [
    style('smooth', 'implied'),
    {
      en: 'gently|calmly|softly|peacefully|serenely|quietly|tranquilly',
      de: 'sanft',
      fr: 'doucement|calmement',
      es: 'suavemente|tranquilamente',
    },
  ],
  [
    style('cinematic', 'implied'),
    {
      en: 'movie trailer|film trailer|trailer|like a movie|like a film|star wars|blade runner|christopher nolan|hollywood|netflix|marvel|matrix|interstellar|movie intro|film noir|game of thrones',
      de: 'wie im kino|kinotrailer',
      fr: 'bande-annonce|bande annonce',
      es: 'tráiler|como una película',
    },
  ],
  [
    style('playful', 'stated', true),
    {
      en: 'more playful|bouncier|more fun|funnier|more bouncy|more cheerful|livelier|happier|more cartoony',
      de: 'verspielter|lustiger',
      fr: 'plus ludique',
      es: 'más divertido|más alegre',
    },
  ],
  [
    style('smooth', 'stated', true),
    {
      en: 'smoother|more smooth|more smoothly|cleaner|more elegant|softer|more minimal|more subtle|more corporate|more calm|more professional|less bouncy|less playful',
      de: 'sanfter|ruhiger|eleganter|weicher|flüssiger',
      fr: 'plus fluide|plus doux|plus calme|plus élégant',
      es: 'más suave|más elegante|más tranquilo',
    },
  ],
  [
    style('cinematic', 'stated', true),
    {
      en: 'more cinematic|more dramatic|more epic|moodier|more moody|more like a movie|more movie like',
      de: 'filmischer|dramatischer|epischer',
      fr: 'plus cinématographique|plus dramatique',
      es: 'más cinematográfico|más dramático|más épico',
    },
  ],
  [
    technique('playful'),
    {
      en: 'easeoutback|easeinback|easeinoutback|easeoutelastic|easeinelastic|easeinoutelastic|easeoutbounce|ease out back|ease out elastic|ease out bounce|squash|squashes|stretch|stretches|squash and stretch|overshoot|overshoots|elastic|springy|wobble|wobbles',
    },
  ],
  [
    technique('smooth'),
    {
      en: 'easeinoutcubic|easeoutcubic|easeincubic|easeoutquint|easeinoutquint|easeinoutsine|easeoutsine|easeoutquad|easeinoutquad|ease in out|ease in out cubic|ease out quint|ease out cubic|ease in|ease out|eased',
    },
  ],
  [
    technique('cinematic'),
    {
      en: 'easeinoutquart|easeoutquart|easeoutexpo|easeinoutexpo|ease in out quart|ease out expo|bezier|cubic bezier|depth of field|parallax|rim light|volumetric',
    },
  ],
  [
    technique(null),
    {
      en: 'easing|keyframe|keyframes|on landing|on impact|upon landing|when landing|on contact|anticipation|stagger|staggered|staggering|restitution|gravity|follow through',
    },
  ],
];

/** Words of a style that say a pace as well. They come after the styles: the style is their first sense. */
export const styledPaceRows: readonly WordRow[] = [
  [
    { kind: 'speed', factor: 0.75, compared: false },
    {
      en: 'calm|calming|serene|relaxing|relaxed|peaceful|zen|tranquil',
      de: 'ruhig|ruhige|ruhiger',
      fr: 'calme',
      es: 'tranquilo|tranquila',
    },
  ],
];

export const aspectRows: readonly WordRow[] = [
  [
    aspect('9:16'),
    {
      en: 'vertical|vertically|portrait|instagram|insta|instagram reel|instagram reels|instagram story|instagram stories|reel|reels|tiktok|tik tok|story|stories|shorts|youtube short|youtube shorts|snapchat|phone screen|for mobile|portrait mode|vertical video',
      de: 'hochformat|hochkant|senkrecht|vertikal',
      fr: 'vertical|verticale|format portrait',
      es: 'vertical|formato vertical',
    },
  ],
  [aspect('4:5'), { en: 'instagram feed|instagram post|feed post|facebook feed' }],
  [
    aspect('1:1'),
    {
      en: 'square video|square format|square aspect|in square|square animation|square clip|square film|square post|as a square|square version|square aspect ratio|a square video|a square animation|square loop',
      de: 'quadratisch|quadratisches|quadratisches format|quadratischer',
      fr: 'format carré',
      es: 'formato cuadrado',
    },
  ],
  [
    aspect('16:9'),
    {
      en: 'landscape|widescreen|wide screen|horizontal|horizontally|youtube|youtube video|twitter|linkedin|presentation|for tv|desktop',
      de: 'querformat|breitbild|waagerecht',
      fr: 'paysage|format paysage|horizontal',
      es: 'apaisado|horizontal|formato horizontal',
    },
  ],
];
