import type { TextManner } from '../../../../contract/film.ts';
import type { Language } from '../sense.ts';

/** How words come, what they do and how they leave. English verbs stand behind `~`, in their plain form. */
export const mannerRows: readonly (readonly [TextManner, Readonly<Partial<Record<Language, string>>>])[] = [
  [
    { by: 'letters' },
    {
      en: 'letter by letter|one letter at a time|letter after letter|staggered letters|character by character|by letters|each letter',
      de: 'buchstabe für buchstabe|buchstabenweise',
      fr: 'lettre par lettre|lettre après lettre',
      es: 'letra por letra|letra a letra',
    },
  ],
  [
    { by: 'words' },
    {
      en: 'word by word|one word at a time|word after word|each word',
      de: 'wort für wort|wortweise',
      fr: 'mot par mot|mot à mot',
      es: 'palabra por palabra',
    },
  ],
  // Says that what comes is to be read.
  [{}, { en: 'write' }],
  [{ entrance: 'pop' }, { en: '~pop|~pop up|~pop in' }],
  [
    { entrance: 'typewriter' },
    {
      en: 'typewriter|typewriter effect|typing|type|types|typed|~type out|~type in|is typed|type it|with a cursor|blinking cursor|caret|cursor',
      de: 'schreibmaschine|schreibmaschineneffekt|getippt|tippt|eingetippt|wird getippt|mit cursor',
      fr: 'machine à écrire|tapé|tapée|tape|se tape|curseur',
      es: 'máquina de escribir|se escribe|tecleado|teclea|se teclea|cursor',
    },
  ],
  [
    { face: 'mono' },
    {
      en: 'terminal|in a terminal|command line|monospace|monospaced|code font|code editor|console font|hacker font|shell prompt',
      de: 'terminal|kommandozeile|festbreitenschrift|im terminal',
      fr: 'terminal|ligne de commande|dans un terminal',
      es: 'terminal|línea de comandos|monoespaciada',
    },
  ],
  [
    { entrance: 'write', face: 'hand' },
    {
      en: 'handwritten|hand written|handwriting|in handwriting|hand lettered|written by hand|by hand|cursive|calligraphy|signature style',
      de: 'handgeschrieben|handschriftlich|handschrift|von hand|mit der hand geschrieben|schreibschrift',
      fr: 'manuscrit|manuscrite|à la main|écrit à la main|écrite à la main',
      es: 'manuscrito|manuscrita|a mano|escrito a mano|escrita a mano',
    },
  ],
  [
    { entrance: 'decode' },
    {
      en: '~decode|~decrypt|~unscramble|~scramble|scrambled into place|scrambled letters|random letters|hacker effect|matrix style|like in the matrix|text scramble',
      de: 'entschlüsselt|decodiert|dekodiert|entschlüsselt sich',
      fr: 'décodé|décodée|déchiffré|se déchiffre|décrypté',
      es: 'descifrado|descifrada|decodificado|se descifra|se decodifica',
    },
  ],
  [
    { entrance: 'flicker' },
    {
      en: '~flicker|~flicker on|neon sign|neon text|neon letters|neon lettering|~switch on like neon|neon light sign',
      de: 'flackert|flackernd|neonschild|leuchtreklame|neonschrift|leuchtschrift',
      fr: 'clignote|scintille|enseigne au néon|enseigne néon|néon',
      es: 'parpadea|parpadeante|letrero de neón|cartel de neón',
    },
  ],
  [
    { entrance: 'glitch', emphasis: 'glitch' },
    {
      en: '~glitch|glitchy|glitch effect|glitched|~glitch in|vhs effect',
      de: 'glitcht|glitch|bildstörung',
      fr: 'glitch|bugue|effet glitch',
      es: 'glitch|efecto glitch',
    },
  ],
  [
    { entrance: 'flip' },
    { en: '~flip|~flip in|~flip over', de: 'klappt|umklappt|klappt um|klappt auf', fr: 'bascule', es: 'voltea|se voltea' },
  ],
  [
    { entrance: 'drop' },
    { en: '~drop in|~fall in|falls into place|fall into place', de: 'fällt herein', fr: 'tombe en place', es: 'cae en su sitio' },
  ],
  [
    { entrance: 'particles' },
    {
      en: '~assemble|~assemble from particles|assembled from particles|made of particles|built from particles|formed by particles|forms from particles|form from particles|particles form|particles assemble|particles assemble into|particles come together',
      de: 'setzt sich aus partikeln zusammen|aus partikeln zusammengesetzt|entsteht aus partikeln|partikel formen|aus partikeln',
      fr: 'assemblé de particules|se forme de particules|formé de particules|des particules forment|se compose de particules',
      es: 'se forma con partículas|formado por partículas|partículas forman|se ensambla',
    },
  ],
  [
    { entrance: 'wind' },
    { en: 'blown in|~blow in|blown together', de: 'hereingeweht', fr: 'poussé par le vent', es: 'traído por el viento' },
  ],
  [
    { exit: 'particles' },
    {
      en: '~dissolve|~dissolve into particles|~dissolve into dust|~disintegrate|~disintegrate into particles|~crumble|turns to dust|turn to dust|turns into dust|~explode into particles|~crumble to dust|~burst into particles|~shatter|~explode',
      de: 'löst sich auf|auflöst|zerfällt|zerfällt zu staub|zerfällt in partikel|löst sich in partikel auf|auflösen|zerspringt',
      fr: 'se dissout|se désintègre|se dissout en particules|tombe en poussière|se décompose',
      es: 'se disuelve|se desintegra|se disuelve en partículas|se deshace',
    },
  ],
  [
    { exit: 'wind' },
    {
      en: '~blow away|blown away|gets blown away|blown off|gone with the wind|carried away by the wind|blown away by the wind',
      de: 'weggeweht|verweht|wird weggeweht|weggeblasen|vom wind verweht',
      fr: "s'envole|emporté par le vent|emportée par le vent|balayé par le vent",
      es: 'se lo lleva el viento|llevado por el viento|se vuela',
    },
  ],
  [
    { exit: 'typewriter' },
    {
      en: 'gets deleted|is deleted|are deleted|backspaced|deleted again|erased letter by letter|deletes itself',
      de: 'wird gelöscht|wieder gelöscht',
      fr: 'est effacé|effacé',
      es: 'se borra|es borrado',
    },
  ],
  [
    { exit: 'fade' },
    {
      en: '~fade out|~fade away|~disappear|~vanish|~fade to black',
      de: 'verschwindet|blendet aus|verblasst|ausblenden',
      fr: 'disparaît|disparait|disparaissent',
      es: 'desaparece|se desvanece|desaparecen',
    },
  ],
  [
    { exit: 'slide' },
    { en: '~slide out|~fly out|~slide away|~move out|~fly away', de: 'fliegt hinaus|gleitet hinaus', fr: 'sort', es: 'sale' },
  ],
  [{ exit: 'pop' }, { en: '~pop out|~shrink away|~shrink', de: 'schrumpft weg' }],
  [{ exit: 'flicker' }, { en: '~flicker off|~flicker out|goes dark', de: 'erlischt', fr: "s'éteint", es: 'se apaga' }],
  [
    { emphasis: 'underline' },
    {
      en: '~underline|underlining|with an underline|line under it',
      de: 'unterstrichen|unterstreicht|unterstreiche|unterstreichen',
      fr: 'souligné|soulignée|souligne|soulignés|souligner',
      es: 'subrayado|subrayada|subraya|subrayar|subrayados',
    },
  ],
  [
    { emphasis: 'strike' },
    {
      en: 'strike out|strikes out|struck out|struck through|strikethrough|strike through|crossed out|cross out|crosses out|crossing out|crossed through|scratched out',
      de: 'durchgestrichen|streicht durch|durchstreichen|gestrichen|durchstreiche|streiche',
      fr: 'barré|barrée|rayé|rayée|biffé|barre|barrer',
      es: 'tachado|tachada|tacha|tachar|se tacha',
    },
  ],
  [
    { emphasis: 'mark' },
    {
      en: '~highlight|highlighter|marker pen|with a marker|text marker|marked|~mark in|highlighted with a marker',
      de: 'markiert|hervorgehoben|textmarker|markiere|hervorheben|unterlegt',
      fr: 'surligné|surlignée|surligne|surligner|surlignés',
      es: 'resaltado|resaltada|resalta|resaltar|marcado|marcada',
    },
  ],
  [
    { emphasis: 'pulse' },
    { en: '~pulse|~pulsate|~throb|~blink|~flash|heartbeat', de: 'pulsiert|pulsierend', fr: 'pulse', es: 'pulsa|late' },
  ],
  [
    { emphasis: 'shake' },
    {
      en: '~shake|~tremble|~wobble|~vibrate|~jitter',
      de: 'wackelt|zittert|schüttelt sich|bebt',
      fr: 'tremble|secoue|vibre',
      es: 'tiembla|vibra|se sacude',
    },
  ],
  [
    { emphasis: 'glow' },
    {
      en: '~glow|glowing|~light up|lights up|~shine|~gleam',
      de: 'leuchtet|leuchtend|glüht|leuchtet auf|strahlt',
      fr: "brille|luit|s'illumine|lumineux",
      es: 'brilla|resplandece|se ilumina',
    },
  ],
  [{ emphasis: 'wave' }, { en: 'wavy text|hops in a wave|mexican wave', de: 'wellenförmig', fr: 'ondule', es: 'ondula' }],
  [
    { counts: true },
    { en: 'counting up|counts up|count up', de: 'hochzählen|zählt hoch|zählt hinauf', fr: 'compte', es: 'cuenta hasta' },
  ],
];
