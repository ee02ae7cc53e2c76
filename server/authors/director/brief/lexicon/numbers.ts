import type { WordRow } from './modifiers.ts';

const number = (value: number, en: string, de: string, fr: string, es: string): WordRow => [
  { kind: 'number', value },
  { en, de, fr, es },
];

export const numberRows: readonly WordRow[] = [
  number(0, 'zero', 'null', 'zéro', 'cero'),
  number(1, 'one|a single|single', 'eins|einzelner|einzelne', 'seul|seule', 'uno|solo'),
  number(2, 'two|a pair of|both', 'zwei|beide', 'deux', 'dos'),
  number(3, 'three', 'drei', 'trois', 'tres'),
  number(4, 'four', 'vier', 'quatre', 'cuatro'),
  number(5, 'five', 'fünf', 'cinq', 'cinco'),
  number(6, 'six', 'sechs', 'six', 'seis'),
  number(7, 'seven', 'sieben', 'sept', 'siete'),
  number(8, 'eight', 'acht', 'huit', 'ocho'),
  number(9, 'nine', 'neun', 'neuf', 'nueve'),
  number(10, 'ten', 'zehn', 'dix', 'diez'),
  number(11, 'eleven', 'elf', 'onze', 'once'),
  number(12, 'twelve|a dozen|dozen', 'zwölf|ein dutzend|dutzend', 'douze|une douzaine de|douzaine', 'doce|una docena de|docena'),
  number(13, 'thirteen', 'dreizehn', 'treize', 'trece'),
  number(14, 'fourteen', 'vierzehn', 'quatorze', 'catorce'),
  number(15, 'fifteen', 'fünfzehn', 'quinze', 'quince'),
  number(16, 'sixteen', 'sechzehn', 'seize', 'dieciséis'),
  number(17, 'seventeen', 'siebzehn', 'dix-sept', 'diecisiete'),
  number(18, 'eighteen', 'achtzehn', 'dix-huit', 'dieciocho'),
  number(19, 'nineteen', 'neunzehn', 'dix-neuf', 'diecinueve'),
  number(20, 'twenty', 'zwanzig', 'vingt', 'veinte'),
  number(24, 'two dozen', 'zwei dutzend', 'deux douzaines de', 'dos docenas de'),
  number(30, 'thirty', 'dreißig', 'trente', 'treinta'),
  number(40, 'forty', 'vierzig', 'quarante', 'cuarenta'),
  number(50, 'fifty', 'fünfzig', 'cinquante', 'cincuenta'),
  number(60, 'sixty', 'sechzig', 'soixante', 'sesenta'),
  number(70, 'seventy', 'siebzig', 'soixante-dix', 'setenta'),
  number(80, 'eighty', 'achtzig', 'quatre-vingts', 'ochenta'),
  number(90, 'ninety', 'neunzig', 'quatre-vingt-dix', 'noventa'),
  [
    { kind: 'scale', value: 100 },
    { en: 'hundred', de: 'hundert', fr: 'cent', es: 'cien|cientos' },
  ],
  [
    { kind: 'scale', value: 1000 },
    { en: 'thousand', de: 'tausend', fr: 'mille', es: 'mil' },
  ],
  [
    { kind: 'scale', value: 1_000_000 },
    { en: 'million', de: 'million|millionen', fr: 'million|millions', es: 'millón|millones' },
  ],
  [
    { kind: 'multiple', value: 1 },
    { en: 'once', de: 'einmal', fr: 'une fois', es: 'una vez' },
  ],
  [
    { kind: 'multiple', value: 2 },
    { en: 'twice|double', de: 'zweimal|doppelt|doppelte', fr: 'deux fois', es: 'dos veces|doble' },
  ],
  [
    { kind: 'multiple', value: 3 },
    { en: 'thrice|triple', de: 'dreimal|dreifach', fr: 'trois fois', es: 'tres veces|triple' },
  ],
  [
    { kind: 'multiple', value: 4 },
    { de: 'viermal', fr: 'quatre fois', es: 'cuatro veces' },
  ],
  [
    { kind: 'multiple', value: 5 },
    { de: 'fünfmal', fr: 'cinq fois', es: 'cinco veces' },
  ],
  [{ kind: 'multiple', value: 6 }, { de: 'sechsmal' }],
  [{ kind: 'times' }, { en: 'times|time', de: 'mal|male', fr: 'fois', es: 'veces|vez' }],
  [
    { kind: 'half' },
    { en: 'half|half a|half an', de: 'halbe|halben|halb|eine halbe', fr: 'demi|demie|une demi', es: 'medio|media' },
  ],
  [
    { kind: 'unit', seconds: 0.001 },
    { en: 'ms|millisecond|milliseconds', de: 'millisekunden', fr: 'millisecondes', es: 'milisegundos' },
  ],
  [
    { kind: 'unit', seconds: 1 },
    {
      en: 's|sec|secs|second|seconds',
      de: 'sek|sekunde|sekunden|sekündig|sekündiges',
      fr: 'seconde|secondes',
      es: 'seg|segundo|segundos',
    },
  ],
  [
    { kind: 'unit', seconds: 60 },
    { en: 'm|min|mins|minute|minutes', de: 'minute|minuten', fr: 'minute|minutes', es: 'minuto|minutos' },
  ],
  [
    { kind: 'unit', seconds: 3600 },
    { en: 'h|hr|hrs|hour|hours', de: 'stunde|stunden', fr: 'heure|heures', es: 'hora|horas' },
  ],
  [
    { kind: 'unit', seconds: 86_400 },
    { en: 'day|days', de: 'tag|tage', fr: 'jour|jours', es: 'día|días' },
  ],
  [
    { kind: 'fps' },
    {
      en: 'fps|frames per second|frames a second',
      de: 'bilder pro sekunde',
      fr: 'images par seconde',
      es: 'fotogramas por segundo',
    },
  ],
  [{ kind: 'degrees' }, { en: 'degrees|degree|deg', de: 'grad', fr: 'degrés', es: 'grados' }],
  [
    { kind: 'symbol', prefix: '', suffix: '%' },
    { en: 'percent|per cent', de: 'prozent', fr: 'pour cent|pourcent', es: 'por ciento' },
  ],
  [
    { kind: 'symbol', prefix: '$', suffix: '' },
    { en: 'dollars|dollar|usd|bucks', es: 'dólares' },
  ],
  [
    { kind: 'symbol', prefix: '', suffix: ' €' },
    { en: 'euros|euro|eur', de: 'euro', fr: 'euros', es: 'euros' },
  ],
  [
    { kind: 'ordinal', value: 1 },
    { en: '1st', de: 'erste|ersten|erster|erstes', fr: 'première|premier', es: 'primera|primer|primero' },
  ],
  [
    { kind: 'ordinal', value: 2 },
    { en: '2nd', de: 'zweite|zweiten|zweiter|zweites', fr: 'deuxième', es: 'segunda' },
  ],
  [
    { kind: 'ordinal', value: 3 },
    { en: 'third|3rd', de: 'dritte|dritten|drittes', fr: 'troisième', es: 'tercera|tercer' },
  ],
  [
    { kind: 'ordinal', value: 4 },
    { en: 'fourth|4th', de: 'vierte|vierten', fr: 'quatrième', es: 'cuarta' },
  ],
  [
    { kind: 'ordinal', value: 5 },
    { en: 'fifth|5th', de: 'fünfte|fünften', fr: 'cinquième', es: 'quinta' },
  ],
  [
    { kind: 'ordinal', value: 6 },
    { en: 'sixth|6th', de: 'sechste|sechsten', fr: 'sixième', es: 'sexta' },
  ],
  [
    { kind: 'ordinal', value: 7 },
    { en: 'seventh|7th', de: 'siebte|siebten', fr: 'septième', es: 'séptima' },
  ],
  /** −1 counts from the end. */
  [
    { kind: 'ordinal', value: -1 },
    { en: 'last|final', de: 'letzte|letzten|letzter', fr: 'dernière|dernier', es: 'última|último' },
  ],
];
