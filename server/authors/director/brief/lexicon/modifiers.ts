import type { Language, Sense } from '../sense.ts';

export type WordRow = readonly [Sense, Readonly<Partial<Record<Language, string>>>];

const size = (factor: number, compared = false): Sense => ({ kind: 'size', factor, compared });
const speed = (factor: number, compared = false): Sense => ({ kind: 'speed', factor, compared });
const height = (factor: number, compared = false): Sense => ({ kind: 'height', factor, compared });
const length = (factor: number): Sense => ({ kind: 'length', factor, compared: true });

/** Sizes, speeds and heights are factors of the size, pace or height that fits the frame; comparatives are steps from where a thing is. */
export const modifierRows: readonly WordRow[] = [
  [
    size(0.45),
    {
      en: 'tiny|minuscule|mini|micro',
      de: 'winzig|winzige|winziger|winziges|winzigen',
      fr: 'minuscule|minuscules',
      es: 'diminuto|diminuta|diminutos|diminutas',
    },
  ],
  [
    size(0.65),
    {
      en: 'small|little',
      de: 'klein|kleine|kleiner|kleines|kleinen',
      fr: 'petit|petite|petits|petites',
      es: 'pequeño|pequeña|pequeños|pequeñas',
    },
  ],
  [size(1), { en: 'medium|normal sized|medium sized', de: 'mittelgroß|mittelgroße', fr: 'moyen|moyenne', es: 'mediano|mediana' }],
  [
    size(1.4),
    {
      en: 'big|large|chunky|fat',
      de: 'groß|große|großer|großes|großen',
      fr: 'grand|grande|grands|grandes|gros|grosse',
      es: 'grande|grandes|gran',
    },
  ],
  [
    size(1.8),
    {
      en: 'huge|giant|enormous|gigantic|massive|oversized',
      de: 'riesig|riesige|riesiger|riesiges|riesigen',
      fr: 'énorme|énormes|géant|géante',
      es: 'enorme|enormes|gigante|gigantes',
    },
  ],
  [
    size(1.3, true),
    {
      en: 'bigger|larger|enlarge|enlarged|upscale|scale up',
      de: 'größer|größere|vergrößere',
      fr: 'plus grand|plus grande|plus gros|plus grosse|agrandis',
      es: 'más grande|más grandes|agranda',
    },
  ],
  [
    size(0.75, true),
    {
      en: 'smaller|tinier|scale down|downsize',
      de: 'kleinere|verkleinere',
      fr: 'plus petit|plus petite|réduis',
      es: 'más pequeño|más pequeña',
    },
  ],
  [
    speed(0.65),
    {
      en: 'slow|slowly|leisurely|gently|gentle|lazily|unhurried|slow motion',
      de: 'langsam|langsame|sanft|gemächlich',
      fr: 'lent|lente|lentement|doucement',
      es: 'lento|lenta|lentamente|despacio|suavemente',
    },
  ],
  [
    speed(0.75),
    {
      en: 'calmly|softly|peacefully|serenely|quietly|tranquilly',
      fr: 'calmement',
      es: 'tranquilamente',
    },
  ],
  [
    speed(1.5),
    {
      en: 'fast|quick|quickly|rapid|rapidly|swift|swiftly|speedy|energetic|hectic|snappy',
      de: 'schnell|schnelle|rasch|flott',
      fr: 'rapide|rapides|rapidement|vite',
      es: 'rápido|rápida|rápidamente|veloz|deprisa',
    },
  ],
  [
    speed(1.3, true),
    {
      en: 'faster|quicker|speed up|speed it up|hurry|more quickly|snappier|more energetic|more energy',
      de: 'schneller|zügiger',
      fr: 'plus vite|plus rapide|plus rapidement',
      es: 'más rápido|más rápida|más deprisa',
    },
  ],
  [
    speed(0.75, true),
    {
      en: 'slower|slow down|slow it down|more slowly|calmer',
      de: 'langsamer',
      fr: 'plus lent|plus lente|plus lentement|moins vite',
      es: 'más lento|más lenta|más despacio',
    },
  ],
  [height(1.2), { en: 'high|tall', de: 'hoch|hohe|hoher', fr: 'haut|haute', es: 'alto|alta' }],
  [height(0.5), { en: 'low', de: 'niedrig|niedrige|tief', fr: 'bas|basse', es: 'bajo|baja' }],
  [height(1.35, true), { en: 'higher|taller', de: 'höher', fr: 'plus haut', es: 'más alto|más alta' }],
  [height(0.7, true), { en: 'lower|less high', de: 'niedriger|tiefer', fr: 'plus bas|moins haut', es: 'más bajo|más baja' }],
  [
    length(1.25),
    {
      en: 'longer|lengthen|extend|more time',
      de: 'länger|verlängere',
      fr: 'plus long|plus longue|plus longtemps',
      es: 'más largo|más larga|más tiempo',
    },
  ],
  [
    length(0.75),
    {
      en: 'shorter|shorten|trim|less time|briefer',
      de: 'kürzer|verkürze',
      fr: 'plus court|plus courte',
      es: 'más corto|más corta',
    },
  ],
  [
    { kind: 'shade', shade: 'dark', compared: false },
    { en: 'dark', de: 'dunkel|dunkle|dunkler|dunkles|dunklen|dunklem', fr: 'foncé|foncée|sombre', es: 'oscuro|oscura' },
  ],
  [
    { kind: 'shade', shade: 'light', compared: false },
    { en: 'light', de: 'hell|helle|helles|hellen|hellem', fr: 'clair|claire', es: 'claro|clara' },
  ],
  [
    { kind: 'shade', shade: 'neon', compared: false },
    { en: 'neon|fluorescent', de: 'neonfarben', fr: 'fluo|néon', es: 'neón' },
  ],
  [
    { kind: 'shade', shade: 'pastel', compared: false },
    { en: 'pastel|soft', de: 'pastell|pastellfarben', fr: 'pastel', es: 'pastel' },
  ],
  [
    { kind: 'shade', shade: 'pale', compared: false },
    { en: 'pale|faded|muted', de: 'blass|blasse|blasser|blasses', fr: 'pâle', es: 'pálido|pálida' },
  ],
  [
    { kind: 'shade', shade: 'bright', compared: false },
    { en: 'bright|vivid|vibrant|saturated|intense', de: 'leuchtend|knallig', fr: 'vif|vive', es: 'vivo|viva|intenso' },
  ],
  [
    { kind: 'shade', shade: 'deep', compared: false },
    { en: 'deep', de: 'tiefem', fr: 'profond|profonde', es: 'profundo|profunda' },
  ],
  [
    { kind: 'shade', shade: 'dark', compared: true },
    { en: 'darker|dim|darken', de: 'dunklere', fr: 'plus sombre|plus foncé', es: 'más oscuro|más oscura' },
  ],
  [
    { kind: 'shade', shade: 'light', compared: true },
    { en: 'lighter|lighten|paler', de: 'heller|hellere', fr: 'plus clair|plus claire', es: 'más claro|más clara' },
  ],
  [
    { kind: 'shade', shade: 'bright', compared: true },
    {
      en: 'brighter|more vivid|more vibrant|more saturated',
      de: 'leuchtender',
      fr: 'plus vif|plus vive',
      es: 'más vivo|más brillante',
    },
  ],
  [
    { kind: 'rainbow' },
    {
      en: 'rainbow|rainbow colored|rainbow coloured|multicolored|multicoloured|multicolor|colorful|colourful|more colorful|more colourful',
      de: 'regenbogen|bunt|bunte|bunter|buntes|bunten|regenbogenfarben',
      fr: 'arc-en-ciel|multicolore|multicolores|coloré',
      es: 'arcoíris|multicolor|colorido',
    },
  ],
  [
    { kind: 'gradient' },
    { en: 'gradient|gradient background', de: 'verlauf|farbverlauf', fr: 'dégradé', es: 'degradado|gradiente' },
  ],
  [
    { kind: 'amount', factor: 1.8 },
    {
      en: 'many|lots of|lots|lot of|loads of|tons of|plenty of|heavy|thousands of|hundreds of',
      de: 'viele|vielen|viel',
      fr: 'beaucoup de|plein de|nombreux|nombreuses',
      es: 'muchos|muchas|mucho|mucha',
    },
  ],
  [
    { kind: 'amount', factor: 0.4 },
    {
      en: 'few|a few|some|several|a couple of|handful of',
      de: 'einige|wenige|ein paar|paar',
      fr: 'quelques|peu de',
      es: 'algunos|algunas|unos|unas|pocos|pocas',
    },
  ],
  [
    { kind: 'another' },
    {
      en: 'another|one more|an extra|extra|additional',
      de: 'noch ein|noch eine|noch einen|weitere|weiterer|weiteren',
      fr: 'un autre|une autre|encore un|encore une',
      es: 'otro|otra|uno más|una más',
    },
  ],
  [
    { kind: 'direction', direction: 'left' },
    { en: 'left|leftwards|left side|left hand side', de: 'links|linken', fr: 'gauche', es: 'izquierda' },
  ],
  [
    { kind: 'direction', direction: 'right' },
    { en: 'right|rightwards|right side|right hand side', de: 'rechts|rechten', fr: 'droite', es: 'derecha' },
  ],
  [
    { kind: 'direction', direction: 'up' },
    { en: 'up|upwards|upward|from below', de: 'oben|hinauf|aufwärts', fr: "vers le haut|d'en haut", es: 'arriba' },
  ],
  [
    { kind: 'direction', direction: 'down' },
    { en: 'down|downwards|downward|from above', de: 'unten|hinunter|herunter|runter|abwärts', fr: 'vers le bas', es: 'abajo' },
  ],
  [
    { kind: 'place', place: 'start' },
    {
      en: 'start|beginning|opening|at the start|at the beginning|in the beginning',
      de: 'am anfang|anfang|beginn',
      fr: 'au début|début',
      es: 'al principio|principio|inicio|al inicio',
    },
  ],
  [
    { kind: 'place', place: 'end' },
    {
      en: 'end|at the end|ending|in the end|end card',
      de: 'am ende|ende|schluss|am schluss',
      fr: 'à la fin|fin',
      es: 'al final|final',
    },
  ],
  [
    { kind: 'place', place: 'middle' },
    { en: 'in the middle of the film', de: 'in der mitte des films' },
  ],
  [
    { kind: 'place', place: 'top' },
    { en: 'top|at the top|on top|above|above it', de: 'oben im bild', fr: 'en haut', es: 'parte superior' },
  ],
  [
    { kind: 'place', place: 'bottom' },
    {
      en: 'bottom|at the bottom|lower third|below|below it|underneath|beneath|under it',
      de: 'unten im bild',
      fr: 'en bas',
      es: 'parte inferior',
    },
  ],
  [
    { kind: 'place', place: 'center' },
    {
      en: 'center|centre|middle|in the center|in the centre|in the middle|centered|centred',
      de: 'mitte|in der mitte|zentriert',
      fr: 'centre|au centre|milieu|au milieu',
      es: 'centro|en el centro',
    },
  ],
];
