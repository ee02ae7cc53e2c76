import type { MotionType } from '../../../../contract/film.ts';
import type { Direction, Entrance, Language } from '../sense.ts';

/** Verbs (and their nouns) for a motion, `|` between them. English forms (-s, -ing, -ed) are derived; the other languages list theirs. */
export interface MotionWords extends Readonly<Partial<Record<Language, string>>> {
  readonly motion: MotionType;
  readonly direction?: Direction;
}

export const motionWords: readonly MotionWords[] = [
  {
    motion: 'bounce',
    en: 'bounce|rebound|dribble|boing',
    de: 'hüpft|hüpfen|hüpfend|hüpfende|hüpfender|hüpfendes|hüpfe|hopst|prallt|abprallt|hüpfer|aufprall',
    fr: 'rebondit|rebondissent|rebondir|rebondissant|rebondissante|rebond|rebonds',
    es: 'rebota|rebotan|rebotar|rebotando|rebote|rebotes|bota|botan|botando',
  },
  {
    motion: 'roll',
    en: 'roll|tumble',
    de: 'rollt|rollen|rollend|rollende|rollender',
    fr: 'roule|roulent|rouler|roulant',
    es: 'rueda|ruedan|rodar|rodando',
  },
  {
    motion: 'spin',
    en: 'spin|rotate|turn|twirl|whirl|revolve|rotation|turn around|pirouette',
    de: 'dreht|drehen|drehend|drehende|drehender|rotiert|rotieren|rotierend|rotierende|rotierender|rotierendes|kreiselt|drehung|drehungen|umdrehung|umdrehungen',
    fr: 'tourne|tournent|tourner|tournant|tournante|pivote|tour|tours',
    es: 'gira|giran|girar|girando|giratorio|giratoria|rota|rotan|vuelta|vueltas|giro|giros',
  },
  {
    motion: 'slide',
    en: 'slide|glide|move|enter|drive|travel|come in|comes in|sweep|walk|run|scroll|cross|arrive|wipe',
    de: 'gleitet|gleiten|gleitend|rutscht|rutschen|bewegt|bewegen|fährt|fahren|schiebt',
    fr: 'glisse|glissent|glisser|glissant|bouge|bougent|entre|entrent|traverse',
    es: 'desliza|deslizan|deslizar|deslizando|mueve|mueven|entra|entran|cruza',
  },
  {
    motion: 'slide',
    direction: 'up',
    en: 'rise|ascend|climb',
    de: 'steigt|steigen|aufsteigt',
    fr: 'monte|montent',
    es: 'sube|suben',
  },
  { motion: 'slide', direction: 'down', en: 'sink|descend', de: 'sinkt|sinken', fr: 'descend|descendent', es: 'baja|bajan' },
  {
    motion: 'float',
    en: 'float|hover|drift|levitate|bob|sway|flutter|soar',
    de: 'schwebt|schweben|schwebend|schwebende|schwebender|schwebendes|gleitend',
    fr: 'flotte|flottent|flotter|flottant|flottante|plane',
    es: 'flota|flotan|flotar|flotando|flotante|flotantes',
  },
  {
    motion: 'pulse',
    en: 'pulse|pulsate|beat|throb|pump|heartbeat|blink|flash|glow|twinkle|shimmer|flicker|breathe|wiggle|shake|vibrate',
    de: 'pulsiert|pulsieren|pulsierend|pulsierende|pulsierender|pulsierendes|schlägt|schlagen|blinkt|blinken|leuchtet|wackelt|funkelt|funkeln',
    fr: 'pulse|pulsent|bat|battent|battre|clignote|clignotent|palpite|palpitent|brille|brillent',
    es: 'pulsa|pulsan|late|laten|latir|latiendo|parpadea|parpadean|brilla|brillan|palpita',
  },
  {
    motion: 'grow',
    en: 'grow|scale up|enlarge|expand|inflate|scale|swell|zoom up',
    de: 'wächst|wachsen|wachsend|wachsende|vergrößert',
    fr: 'grandit|grandissent|grandir|grossit',
    es: 'crece|crecen|crecer|creciendo|agranda',
  },
  {
    motion: 'shrink',
    en: 'shrink|scale down|deflate|disappear|vanish',
    de: 'schrumpft|schrumpfen|schrumpfend|verkleinert|verschwindet|verschwinden',
    fr: 'rétrécit|rétrécissent|rétrécir|disparaît',
    es: 'encoge|encogen|encoger|reduce',
  },
  {
    motion: 'drop',
    en: 'drop|fall|land|fall down|drop in|crash down|plummet|drip|pour',
    de: 'fällt|fallen|fallend|fallende|fallender|stürzt|landet|rieselt|rieseln|regnet',
    fr: 'tombe|tombent|tomber|tombant|chute',
    es: 'cae|caen|caer|cayendo',
  },
  {
    motion: 'jump',
    en: 'jump|hop|leap|jump up',
    de: 'springt|springen|springend|springende|springender|sprung|sprünge|hops',
    fr: 'saute|sautent|sauter|sautant|bondit|saut|sauts',
    es: 'salta|saltan|saltar|saltando|salto|saltos|brinca|brincan',
  },
  {
    motion: 'swing',
    en: 'swing|pendulum|dangle|oscillate',
    de: 'schwingt|schwingen|schwingend|pendelt|pendeln|schaukelt',
    fr: 'balance|balancent|oscille|oscillent',
    es: 'balancea|balancean|oscila|oscilan|columpia',
  },
  {
    motion: 'explode',
    en: 'explode|burst|blow up|blows up|shatter|blast|explosion|splash|scatter|erupt|burst out|break apart|breaks apart',
    de: 'explodiert|explodieren|explodierend|platzt|platzen|zerspringt|explosion|zerplatzt',
    fr: 'explose|explosent|exploser|éclate|éclatent|explosion',
    es: 'explota|explotan|explotar|estalla|estallan|explosión',
  },
  {
    motion: 'fly',
    en: 'fly|flies|flying|flew|zip|dart|shoot|take off|takes off|zoom across|zooms across|swoop',
    de: 'fliegt|fliegen|fliegend|fliegende|fliegender',
    fr: 'vole|volent|voler|volant|volante',
    es: 'vuela|vuelan|volar|volando',
  },
  {
    motion: 'appear',
    en: 'appear|fade in|fades in|fading in|fade|pop up|pops up|pop|materialize|materialise|show up|shows up|emerge|reveal|is revealed',
    de: 'erscheint|erscheinen|erscheine|auftaucht|taucht|einblenden|blendet|poppt',
    fr: 'apparaît|apparaissent|apparaître|surgit|surgissent|apparition',
    es: 'aparece|aparecen|aparecer|apareciendo|surge|surgen',
  },
];

/** A text that is told to do what things do comes in this way. */
export const entranceOfMotion: Readonly<Record<MotionType, Entrance>> = {
  bounce: 'pop',
  roll: 'slide',
  slide: 'slide',
  spin: 'letters',
  float: 'rise',
  pulse: 'pop',
  grow: 'pop',
  shrink: 'fade',
  drop: 'letters',
  jump: 'pop',
  swing: 'letters',
  explode: 'pop',
  fly: 'slide',
  appear: 'fade',
};
