/** CSS Color Module 4 names, as `name hex` pairs. */
const css = `aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000
blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e
coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b
darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00
darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff
firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520
gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0
khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a
lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0
lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3
mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc
mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080
oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6
purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460
seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090
snowwhite fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee
wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32`;

const words = css.split(/\s+/);

/** CSS name → hex. */
/** Of the sun, as a thing and as the middle of planets. */
export const sunColor = '#ffc72e';

export const cssColors: ReadonlyMap<string, string> = new Map(
  words.flatMap((name, i) => (i % 2 === 0 ? [[name, `#${words[i + 1]}`] as const] : [])),
);

/** Names that people use and CSS lacks; spaces are allowed. */
export const everydayColors: Readonly<Record<string, string>> = {
  golden: '#ffd700',
  'rose gold': '#b76e79',
  bronze: '#cd7f32',
  copper: '#b87333',
  mint: '#98e8c1',
  'mint green': '#98e8c1',
  peach: '#ffb38a',
  apricot: '#fbb27c',
  mustard: '#e1ad01',
  burgundy: '#800020',
  wine: '#722f37',
  cream: '#fff5dc',
  charcoal: '#36454f',
  lilac: '#c8a2c8',
  mauve: '#b784a7',
  ruby: '#e0115f',
  emerald: '#2fa36b',
  sapphire: '#0f52ba',
  amber: '#ffbf00',
  lemon: '#fff44f',
  cherry: '#d2042d',
  scarlet: '#ff2400',
  vermilion: '#e34234',
  cobalt: '#0047ab',
  'electric blue': '#1f6bff',
  'baby blue': '#89cff0',
  'baby pink': '#f4c2c2',
  'midnight blue': '#191970',
  'sky blue': '#87ceeb',
  'royal blue': '#4169e1',
  'navy blue': '#000080',
  'forest green': '#228b22',
  'lime green': '#32cd32',
  'olive green': '#808000',
  'sea green': '#2e8b57',
  'hot pink': '#ff69b4',
  'deep pink': '#ff1493',
  'steel blue': '#4682b4',
  'slate gray': '#708090',
  'slate grey': '#708090',
  'off white': '#faf9f6',
  'jet black': '#0a0a0a',
  'ice blue': '#d6f0fa',
  sand: '#e0cda9',
  rust: '#b7410e',
  terracotta: '#c86b4a',
  ochre: '#cc7722',
  'sunset orange': '#fd5e53',
  azure: '#007fff',
  'ocean blue': '#0077be',
  'neon green': '#39ff14',
  'neon pink': '#ff10f0',
  'neon blue': '#1f51ff',
  'neon yellow': '#e7ff1a',
  'neon orange': '#ff5f1f',
  'neon purple': '#bc13fe',
  'neon red': '#ff1744',
  bluish: '#3d6fb5',
  reddish: '#c0392b',
  greenish: '#3f8f5f',
};

/** German, French and Spanish colour words → the English name, or a shade of it ("dark blue"). Inflected forms are separated by slashes. */
export const foreignColors: Readonly<Record<'de' | 'fr' | 'es', Readonly<Record<string, string>>>> = {
  de: {
    'rot/rote/roter/rotes/roten/rotem': 'red',
    'blau/blaue/blauer/blaues/blauen/blauem': 'blue',
    'grün/grüne/grüner/grünes/grünen/grünem': 'green',
    'gelb/gelbe/gelber/gelbes/gelben/gelbem': 'yellow',
    'schwarz/schwarze/schwarzer/schwarzes/schwarzen/schwarzem': 'black',
    'weiß/weiße/weißer/weißes/weißen/weißem': 'white',
    'lila/violett/violette/violetter/violettes/violetten': 'purple',
    'orangefarben/orangefarbene/orangefarbener/orangefarbenes/orangener/orangene/orangen': 'orange',
    'rosa/rosafarbene/rosafarbener': 'pink',
    'braun/braune/brauner/braunes/braunen': 'brown',
    'grau/graue/grauer/graues/grauen/grauem': 'gray',
    'türkis/türkise/türkiser/türkises': 'turquoise',
    'golden/goldene/goldener/goldenes/goldenen/goldenem': 'gold',
    'silbern/silberne/silberner/silbernes/silber': 'silver',
    'dunkelblau/dunkelblaue/dunkelblauer/dunkelblaues/dunkelblauen/dunkelblauem': 'dark blue',
    'hellblau/hellblaue/hellblauer/hellblaues/hellblauen/hellblauem': 'light blue',
    'dunkelrot/dunkelrote/dunkelroter/dunkelrotes/dunkelroten': 'dark red',
    'dunkelgrün/dunkelgrüne/dunkelgrüner/dunkelgrünes/dunkelgrünen': 'dark green',
    'hellgrün/hellgrüne/hellgrüner/hellgrünes/hellgrünen': 'light green',
    'dunkelgrau/dunkelgraue/dunkelgrauer/dunkelgrauem': 'dark gray',
    'hellgrau/hellgraue/hellgrauer': 'light gray',
    himmelblau: 'skyblue',
    marineblau: 'navy',
  },
  fr: {
    'rouge/rouges': 'red',
    'bleu/bleue/bleus/bleues': 'blue',
    'vert/verte/verts/vertes': 'green',
    'jaune/jaunes': 'yellow',
    'noir/noire/noirs/noires': 'black',
    'blanc/blanche/blancs/blanches': 'white',
    'violet/violette/violets/violettes': 'purple',
    'orangé/orangée': 'orange',
    'rose/roses': 'pink',
    'marron/brun/brune': 'brown',
    'gris/grise/grises': 'gray',
    turquoise: 'turquoise',
    'doré/dorée/dorés/dorées/or': 'gold',
    'argenté/argentée': 'silver',
    'bleu foncé': 'dark blue',
    'bleu clair': 'light blue',
    'bleu marine': 'navy',
    'bleu ciel': 'skyblue',
    'vert foncé': 'dark green',
    'vert clair': 'light green',
    'rouge foncé': 'dark red',
  },
  es: {
    'rojo/roja/rojos/rojas': 'red',
    'azul/azules': 'blue',
    'verde/verdes': 'green',
    'amarillo/amarilla/amarillos/amarillas': 'yellow',
    'negro/negra/negros/negras': 'black',
    'blanco/blanca/blancos/blancas': 'white',
    'morado/morada/morados/moradas/púrpura': 'purple',
    'naranja/naranjas/anaranjado': 'orange',
    'rosado/rosada/rosa': 'pink',
    'marrón/marrones': 'brown',
    'gris/grises': 'gray',
    turquesa: 'turquoise',
    'dorado/dorada/dorados/doradas/oro': 'gold',
    'plateado/plateada': 'silver',
    'azul oscuro': 'dark blue',
    'azul claro': 'light blue',
    'azul marino': 'navy',
    'verde oscuro': 'dark green',
    'verde claro': 'light green',
    'rojo oscuro': 'dark red',
  },
};
