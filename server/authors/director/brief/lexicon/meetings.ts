import type { MeetingVerb } from '../../../../contract/film.ts';
import type { Language } from '../sense.ts';

/** Verbs for what one thing does to another, `|` between them; forms as for motions. `both` = without an object they do it to each other. */
export interface MeetingWords extends Readonly<Partial<Record<Language, string>>> {
  readonly verb: MeetingVerb;
}

export const meetingWords: readonly MeetingWords[] = [
  {
    verb: 'chase',
    en: 'chase|run after|hunt|pursue|race after',
    de: 'jagt|jagen|verfolgt|verfolgen|rennt hinter|läuft hinter',
    fr: 'poursuit|poursuivent|chasse|chassent|court après',
    es: 'persigue|persiguen|caza|corre tras|corre detrás de',
  },
  { verb: 'follow', en: 'follow|trail|walk behind|go after', de: 'folgt|folgen', fr: 'suit|suivent', es: 'sigue|siguen' },
  {
    verb: 'push',
    en: 'push|shove|nudge',
    de: 'schiebt|schieben|schubst|schubsen',
    fr: 'pousse|poussent',
    es: 'empuja|empujan',
  },
  { verb: 'pull', en: 'pull|drag|tow|tug', de: 'zieht|ziehen', fr: 'tire|tirent|traîne', es: 'tira de|arrastra|arrastran' },
  {
    verb: 'hit',
    en: 'hit|strike|bump into|run into|roll into|slam into|smash into|crash into|crash against|collide with|bash|ram',
    de: 'trifft|treffen|rammt|stößt gegen|prallt gegen|kracht gegen|rollt gegen|fährt gegen',
    fr: 'heurte|heurtent|percute|percutent|frappe|cogne',
    es: 'golpea|golpean|choca contra|choca con|se estrella contra',
  },
  {
    verb: 'knock',
    en: 'knock over|knock down|topple|tip over|bowl over|knock',
    de: 'stößt um|wirft um|kippt um|umwirft|umstößt',
    fr: 'renverse|renversent|fait tomber',
    es: 'derriba|derriban|tumba|vuelca|tira al suelo',
  },
  {
    verb: 'bounce-off',
    en: 'bounce off|rebound off|bounce against|ricochet off',
    de: 'prallt ab von|prallt von',
    fr: 'rebondit contre',
    es: 'rebota contra|rebota en',
  },
  {
    verb: 'collide',
    en: 'collide|crash|clash|bump|collide with each other|crash into each other|bump into each other',
    de: 'kollidieren|kollidiert|zusammenstoßen|stoßen zusammen|prallen aufeinander|prallen zusammen',
    fr: 'entrent en collision|se heurtent|se percutent|se cognent',
    es: 'chocan|se estrellan|colisionan',
  },
  { verb: 'kick', en: 'kick|boot', de: 'kickt|schießt|tritt', fr: 'botte|tape dans', es: 'patea|patean|chuta' },
  {
    verb: 'jump-over',
    en: 'jump over|leap over|hop over|vault over|jump across|leap across',
    de: 'springt über|springen über|hüpft über|hüpfen über',
    fr: 'saute par dessus|saute au dessus de|saute par-dessus',
    es: 'salta por encima de|salta sobre|saltan sobre',
  },
  {
    verb: 'land-on',
    en: 'land on|lands on top of|land on top of|jump on|jump onto|leap onto|hop onto|hop on|climb onto|climb on|fall on|fall onto|drop onto|drop on|sit down on',
    de: 'landet auf|landen auf|springt auf|hüpft auf|klettert auf|fällt auf|setzt sich auf',
    fr: 'atterrit sur|saute sur|grimpe sur|tombe sur|se pose sur',
    es: 'aterriza en|aterriza sobre|sube a|cae sobre|cae en|se posa en',
  },
  { verb: 'catch', en: 'catch|grab|snatch', de: 'fängt|fangen|schnappt', fr: 'attrape|attrapent', es: 'atrapa|atrapan|agarra' },
  {
    verb: 'throw',
    en: 'throw|toss|hurl|fling',
    de: 'wirft|werfen|schleudert',
    fr: 'lance|lancent|jette',
    es: 'lanza|lanzan|arroja',
  },
  {
    verb: 'carry',
    en: 'carry|transport|bring',
    de: 'trägt|tragen|bringt',
    fr: 'porte|portent|transporte',
    es: 'lleva|llevan|carga',
  },
  {
    verb: 'eat',
    en: 'eat|swallow|devour|munch|gobble|gobble up|eat up|nibble|chew',
    de: 'frisst|fressen|isst|essen|verschlingt|verschluckt|knabbert',
    fr: 'mange|mangent|avale|dévore|croque',
    es: 'come|comen|devora|traga|muerde',
  },
  {
    verb: 'embrace',
    en: 'hug|kiss|embrace|cuddle|greet|meet|high five',
    de: 'umarmt|umarmen|küsst|küssen|begrüßt|trifft sich mit|treffen sich|umarmen sich|küssen sich',
    fr: "embrasse|s'embrassent|se rencontrent|rencontre|salue|se câlinent",
    es: 'abraza|se abrazan|besa|se besan|saluda|se encuentran|se encuentra con',
  },
  {
    verb: 'swap',
    en: 'swap|swap places|switch places|trade places|change places|exchange places|swap positions|swap places with|switch places with',
    de: 'tauscht|tauschen|tauschen die plätze|tauschen plätze|wechseln die plätze',
    fr: 'échangent|échangent leurs places|changent de place',
    es: 'intercambian|cambian de lugar|intercambian lugares',
  },
  {
    verb: 'merge',
    en: 'merge|unite|combine|fuse|join together|come together|melt together|merge into one|become one|merge with|fuse with',
    de: 'verschmelzen|verschmilzt|vereinen sich|vereinigen sich|verbinden sich',
    fr: "fusionnent|fusionne|s'unissent|se fondent",
    es: 'se fusionan|se unen|se juntan|fusiona',
  },
  {
    verb: 'circle',
    en: 'run around|walk around|fly around|dance around|drive around|go around',
    de: 'läuft um|rennt um|fährt um|tanzt um',
    fr: 'tourne autour de|court autour de',
    es: 'corre alrededor de|gira alrededor de|da vueltas alrededor de',
  },
];
