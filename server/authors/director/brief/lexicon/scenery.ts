import type { PlaceName } from '../../../../contract/film.ts';
import type { Language, Scenery, Sense } from '../sense.ts';
import type { WordRow } from './modifiers.ts';

const scenery = (value: Scenery): Sense => ({ kind: 'scenery', ...value });

/** Hours, weathers and moods of a place, and places of several words that are nothing else. */
export const sceneryRows: readonly WordRow[] = [
  [
    scenery({ time: 'night' }),
    {
      en: 'night|nights|nighttime|night time|at night|by night|during the night|midnight|bedtime|in the dark|darkness|moonlit|moonlight|starry|starlit|when it gets dark|late at night|nocturnal',
      de: 'nacht|nachts|bei nacht|in der nacht|mitternacht|im dunkeln|mondlicht|nächtlich|nächtliche|nächtlicher|nächtlichen|sternenklar',
      fr: 'nuit|la nuit|de nuit|minuit|nocturne|clair de lune',
      es: 'noche|de noche|por la noche|medianoche|nocturno|nocturna|luz de la luna|estrellada|estrellado',
    },
  ],
  [
    scenery({ time: 'dusk' }),
    {
      en: 'sunset|sunsets|at sunset|dusk|at dusk|twilight|nightfall|evening|in the evening|golden hour|when the sun sets|when the sun goes down|as the sun sets|as the sun goes down',
      de: 'sonnenuntergang|dämmerung|abenddämmerung|abend|abends|am abend|abendlich|wenn die sonne untergeht',
      fr: 'coucher de soleil|coucher du soleil|crépuscule|soir|le soir|soirée|quand le soleil se couche',
      es: 'puesta de sol|puesta del sol|atardecer|ocaso|anochecer|cuando se pone el sol',
    },
  ],
  [
    scenery({ time: 'dawn' }),
    {
      en: 'sunrise|at sunrise|dawn|at dawn|daybreak|early morning|morning|in the morning|when the sun rises|as the sun rises',
      de: 'sonnenaufgang|morgendämmerung|morgengrauen|morgens|am morgen|frühmorgens|wenn die sonne aufgeht',
      fr: 'lever de soleil|lever du soleil|lever du jour|point du jour|aube|matin|le matin|aurore|quand le soleil se lève',
      es: 'amanecer|alba|mañana|por la mañana|salida del sol|cuando sale el sol',
    },
  ],
  [
    scenery({ time: 'day' }),
    {
      en: 'daytime|daylight|by day|noon|midday|in daylight|during the day|broad daylight',
      de: 'tagsüber|bei tag|am tag|mittag|mittags|tageslicht',
      fr: 'de jour|en plein jour|midi|journée',
      es: 'de día|mediodía|a plena luz del día',
    },
  ],
  [scenery({ time: 'day', paired: true }), { en: 'day', de: 'tag', fr: 'jour', es: 'día' }],
  [
    scenery({ time: 'day', weather: 'clear' }),
    {
      en: 'sunny|clear sky|clear skies|blue sky|sunshine',
      de: 'sonnig|sonnige|sonniger|sonniges|sonnigen|sonnenschein|blauer himmel',
      fr: 'ensoleillé|ensoleillée|ciel bleu',
      es: 'soleado|soleada|cielo azul',
    },
  ],
  [
    scenery({ weather: 'cloudy' }),
    {
      en: 'cloudy|overcast|gloomy|grey sky|gray sky',
      de: 'bewölkt|bewölkter|wolkig|trüb|trüber',
      fr: 'nuageux|nuageuse|couvert',
      es: 'nublado|nublada|nuboso',
    },
  ],
  [
    scenery({ weather: 'rain' }),
    {
      en: 'rainy|in the rain|rain soaked|drizzle|drizzly|downpour|it rains|it is raining',
      de: 'regnerisch|regnerische|regnerischer|regnerischen|verregnet|verregnete|im regen|es regnet|regnen',
      fr: 'pluvieux|pluvieuse|sous la pluie|il pleut|pleuvoir',
      es: 'lluvioso|lluviosa|bajo la lluvia|llueve|llueva|llover',
    },
  ],
  [
    scenery({ weather: 'snow' }),
    {
      en: 'snowy|in the snow|wintry|blizzard|it snows|it is snowing',
      de: 'verschneit|verschneite|verschneiter|verschneiten|verschneites|im schnee|es schneit',
      fr: 'enneigé|enneigée|sous la neige|il neige',
      es: 'nevado|nevada|bajo la nieve|nieva',
    },
  ],
  [
    scenery({ weather: 'rain', begins: true }),
    {
      en: 'starts raining|starts to rain|begins to rain',
      de: 'beginnt zu regnen|fängt an zu regnen',
      fr: 'commence à pleuvoir',
      es: 'empieza a llover',
    },
  ],
  [
    scenery({ weather: 'snow', begins: true }),
    {
      en: 'starts snowing|starts to snow|begins to snow',
      de: 'beginnt zu schneien|fängt an zu schneien',
      fr: 'commence à neiger',
      es: 'empieza a nevar',
    },
  ],
  [
    scenery({ mood: 'dusk' }),
    {
      en: 'cosy|cozy|candlelit',
      de: 'gemütlich|gemütliche|gemütlicher|gemütliches|gemütlichen',
      fr: 'cosy|chaleureux|chaleureuse',
      es: 'acogedor|acogedora',
    },
  ],
  [
    scenery({ weather: 'storm' }),
    {
      en: 'stormy|storm|storms|thunderstorm|thunder|in a storm|lightning storm',
      de: 'stürmisch|stürmische|stürmischer|stürmischen|gewitter|sturm|unwetter',
      fr: 'orageux|orageuse|orage|tempête',
      es: 'tormentoso|tormentosa|tormenta|tempestad',
    },
  ],
  [
    scenery({ weather: 'fog' }),
    {
      en: 'foggy|misty|hazy|fog|mist',
      de: 'neblig|neblige|nebliger|nebligen|nebel|im nebel',
      fr: 'brumeux|brumeuse|brouillard|brume',
      es: 'brumoso|brumosa|niebla|neblina',
    },
  ],
  [
    scenery({ place: 'underwater' }),
    {
      en: 'underwater|under water|under the sea|under the water|under the ocean|beneath the waves|at the bottom of the sea|bottom of the ocean|deep sea|seabed|coral reef',
      de: 'unterwasser|unter wasser|unter dem meer|meeresgrund|tiefsee',
      fr: 'sous l’eau|sous la mer|sous leau|fond de la mer|fonds marins',
      es: 'bajo el agua|bajo el mar|fondo del mar|submarino',
    },
  ],
  [
    scenery({ place: 'space' }),
    {
      en: 'outer space|deep space|universe|cosmos|through space|in space|into space',
      de: 'weltraum|weltall|all|universum',
      fr: 'espace|univers',
      es: 'espacio|universo',
    },
  ],
];

/** What places are called; whether the place or a thing is meant is for `scenery.ts` to say. */
export const placeWords: readonly (readonly [PlaceName, Readonly<Record<Language, string>>])[] = [
  ['sky', { en: 'sky|skies|horizon|clouds', de: 'himmel|horizont|wolken', fr: 'ciel|cieux|nuages', es: 'cielo|nubes|horizonte' }],
  [
    'sea',
    {
      en: 'sea|ocean|water|waves',
      de: 'meer|ozean|wasser|wellen',
      fr: 'mer|océan|eau',
      es: 'mar|océano|agua|olas',
    },
  ],
  [
    'beach',
    {
      en: 'beach|shore|coast|seaside|island',
      de: 'strand|küste|ufer|insel',
      fr: 'plage|rivage|île',
      es: 'playa|costa|orilla|isla',
    },
  ],
  [
    'mountains',
    {
      en: 'mountain|mountains|valley|cliff',
      de: 'berg|berge|bergen|gebirge|tal',
      fr: 'montagne|montagnes|vallée',
      es: 'montaña|montañas|valle|sierra',
    },
  ],
  [
    'city',
    {
      en: 'city|cities|town|skyline|downtown|cityscape|metropolis|rooftops',
      de: 'stadt|städte|skyline|großstadt|dächer|dächern',
      fr: 'ville|villes|cité|toits',
      es: 'ciudad|ciudades|tejados',
    },
  ],
  [
    'street',
    {
      en: 'street|streets|alley|sidewalk',
      de: 'straße|straßen|gasse',
      fr: 'rue|rues|ruelle',
      es: 'calle|calles|callejón',
    },
  ],
  [
    'road',
    {
      en: 'road|highway|motorway|racetrack|track',
      de: 'landstraße|autobahn|rennstrecke|weg',
      fr: 'route|autoroute|chemin',
      es: 'carretera|autopista|camino',
    },
  ],
  [
    'forest',
    {
      en: 'forest|forests|woods|jungle|woodland|rainforest',
      de: 'wald|wälder|dschungel|urwald',
      fr: 'forêt|forêts|bois|jungle',
      es: 'bosque|bosques|selva|jungla',
    },
  ],
  [
    'meadow',
    {
      en: 'meadow|field|fields|grass|prairie|countryside|farm|landscape|savanna',
      de: 'wiese|wiesen|feld|felder|gras|landschaft|bauernhof',
      fr: 'prairie|pré|champ|champs|herbe|campagne|paysage|ferme',
      es: 'prado|campo|campos|pradera|hierba|paisaje|granja',
    },
  ],
  [
    'garden',
    {
      en: 'garden|park|backyard|playground|yard',
      de: 'garten|park|spielplatz|hof',
      fr: 'jardin|parc',
      es: 'jardín|parque|patio',
    },
  ],
  ['desert', { en: 'desert|dunes|sahara|canyon', de: 'wüste|dünen', fr: 'désert|dunes', es: 'desierto|dunas' }],
  [
    'snow',
    {
      en: 'snowfield|winter landscape|arctic|antarctica|north pole',
      de: 'schneefeld|schneelandschaft|winterlandschaft|arktis|nordpol',
      fr: 'banquise|arctique',
      es: 'ártico|polo norte',
    },
  ],
  [
    'cornfield',
    {
      en: 'cornfield|wheat field|wheatfield|corn field|grain field|barley field|golden field',
      de: 'kornfeld|weizenfeld|maisfeld|getreidefeld',
      fr: 'champ de blé|champ de maïs|champs de blé',
      es: 'campo de trigo|maizal|trigal|campo de maíz',
    },
  ],
  [
    'vineyard',
    {
      en: 'vineyard|vineyards',
      de: 'weinberg|weinberge|weinbergen',
      fr: 'vignoble|vignobles|vigne|vignes',
      es: 'viñedo|viñedos|viña',
    },
  ],
  [
    'lavender field',
    {
      en: 'lavender field|lavender fields|field of lavender|fields of lavender',
      de: 'lavendelfeld|lavendelfelder',
      fr: 'champ de lavande|champs de lavande',
      es: 'campo de lavanda|campos de lavanda',
    },
  ],
  ['pond', { en: 'pond|lake|pool', de: 'teich|see|weiher', fr: 'étang|mare|lac', es: 'estanque|charca|lago' }],
  ['river', { en: 'river|stream|creek|brook', de: 'fluss|bach|strom', fr: 'rivière|fleuve|ruisseau', es: 'río|arroyo' }],
  ['hills', { en: 'hill|hills|hillside', de: 'hügel|hügeln|anhöhe', fr: 'colline|collines|coteau', es: 'colina|colinas|loma' }],
  ['village', { en: 'village|hamlet', de: 'dorf|dörfchen', fr: 'village|hameau', es: 'pueblo|aldea' }],
  [
    'station',
    {
      en: 'railway station|train station|railroad station|station|platform',
      de: 'bahnhof|bahnsteig',
      fr: 'gare|quai de gare',
      es: 'estación de tren|estación|andén',
    },
  ],
  [
    'ice',
    {
      en: 'ice|frozen lake|ice rink|frozen pond',
      de: 'eis|eisfläche|zugefrorener see',
      fr: 'glace|patinoire|lac gelé',
      es: 'hielo|pista de hielo',
    },
  ],
  ['bedroom', { en: 'bedroom|nursery', de: 'schlafzimmer|kinderzimmer', fr: 'chambre à coucher', es: 'dormitorio' }],
  [
    'room',
    {
      en: 'room|living room|house|home|office|apartment|lounge|indoors|hall',
      de: 'zimmer|raum|wohnzimmer|büro|wohnung|haus',
      fr: 'chambre|salon|pièce|bureau|maison|appartement',
      es: 'habitación|cuarto|salón|sala|oficina|casa',
    },
  ],
  [
    'window',
    {
      en: 'window|windowsill|window sill|window ledge|window pane',
      de: 'fenster|fensterbank|fensterbrett|fensterscheibe',
      fr: 'fenêtre|vitre|rebord de fenêtre',
      es: 'ventana|cristal|alféizar',
    },
  ],
  [
    'kitchen',
    {
      en: 'kitchen|restaurant|cafe|bakery',
      de: 'küche|restaurant|café',
      fr: 'cuisine|restaurant|café',
      es: 'cocina|restaurante|cafetería',
    },
  ],
  [
    'classroom',
    { en: 'classroom|school', de: 'klassenzimmer|schule', fr: 'salle de classe|école|classe', es: 'aula|escuela|clase' },
  ],
  ['table', { en: 'table|desk|tabletop|workbench|counter', de: 'tisch|schreibtisch', fr: 'table', es: 'mesa|escritorio' }],
  [
    'stage',
    {
      en: 'stage|theater|theatre|circus|arena',
      de: 'bühne|theater|zirkus',
      fr: 'scène|théâtre|cirque',
      es: 'escenario|teatro|circo',
    },
  ],
];
