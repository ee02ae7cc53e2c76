import type { Relation } from '../../../../contract/film.ts';
import type { Action, Camera, Sense } from '../sense.ts';
import type { WordRow } from './modifiers.ts';

const text = (role: 'title' | 'subtitle' | 'caption', saying = false): Sense => ({ kind: 'textNoun', role, saying });

const move = (camera: Camera): Sense => ({ kind: 'cameraMove', camera });

const action = (value: Action): Sense => ({ kind: 'action', action: value });

const standing = (relation: Relation): Sense => ({ kind: 'standing', relation });

const unsupported = (name: string): Sense => ({ kind: 'unsupported', name });

export const structureRows: readonly WordRow[] = [
  [
    text('title'),
    {
      en: 'title|titles|title card|headline|heading|text|word|letters|name|slogan|message|logo text|wordmark',
      de: 'titel|überschrift|text|wort|schriftzug|schrift',
      fr: 'titre|texte|mot',
      es: 'título|texto|palabra',
    },
  ],
  [
    { kind: 'textNoun', role: 'title', saying: false, many: true },
    {
      en: 'kinetic text|kinetic type|kinetic typography|typography|texts|words|phrases|lines|slogans|lyrics',
      de: 'kinetischer text|kinetische typografie|typografie|texte|worte|wörter',
      fr: 'typographie|textes|mots',
      es: 'tipografía cinética|textos|palabras',
    },
  ],
  [
    text('title', true),
    {
      en: 'saying|says|say|that says|that reads|reads|reading|with the words|written|writes|spelling|spells|called|titled|entitled|labeled|labelled|label|labels',
      de: 'sagt|schreibt|schreibe|lautet|namens|mit den worten',
      fr: 'disant|dit|écrit|écris|qui dit|intitulé|intitulée',
      es: 'diciendo|dice|escribe|que dice|titulado|titulada',
    },
  ],
  [
    text('subtitle'),
    {
      en: 'subtitle|subtitles|role|job title|occupation|profession|tagline|subheading|sub title|subline|second line|strapline',
      de: 'untertitel|unterzeile',
      fr: 'sous-titre|sous titre',
      es: 'subtítulo|subtítulos',
    },
  ],
  [
    text('caption'),
    {
      en: 'caption|captions|footnote|credit|credits|lower third text|footer|call to action|cta',
      de: 'bildunterschrift|fußzeile|abspann',
      fr: 'légende',
      es: 'leyenda|pie de foto',
    },
  ],
  [
    { kind: 'background' },
    {
      en: 'background|backgrounds|bg|backdrop|back ground|ground color|background color|background colour',
      de: 'hintergrund|hintergrundfarbe|hintergrunds',
      fr: 'fond|arrière-plan|arrière plan',
      es: 'fondo|fondos',
    },
  ],
  [{ kind: 'camera' }, { en: 'camera|cam', de: 'kamera', fr: 'caméra', es: 'cámara' }],
  [
    move('push-in'),
    {
      en: 'push in|pushes in|zoom in|zooms in|zooming in|zoom|zooms|push-in|moves closer|closer|close up',
      de: 'zoomt|zoomen|heranzoomen',
      fr: 'zoome|zoom avant',
      es: 'zoom|acercamiento',
    },
  ],
  [move('orbit'), { en: 'camera orbit|camera orbits|orbiting camera|turntable|orbit shot|orbit camera', de: 'kamerafahrt um' }],
  [
    move('dolly'),
    {
      en: 'dolly|dolly shot|dollies|tracking shot|truck|pan|pans|panning|camera move|camera movement|moving camera|zoom out|zooms out|pull back|pulls back',
      de: 'kamerafahrt|schwenk',
      fr: 'travelling|traveling',
      es: 'travelling',
    },
  ],
  [move('follow'), { en: 'follow shot|camera follows|follows|following|tracks', de: 'folgt', fr: 'suit', es: 'sigue' }],
  [
    { kind: 'still' },
    {
      en: 'hold still|holds still|stand still|stands still|standing still|stay still|stays still|keep still|motionless|no motion|no movement|without motion|without movement|nothing moves|does not move|do not move|frozen|still image|still frame|still picture',
      de: 'steht still|bewegungslos|unbewegt|ohne bewegung|stillstehend|standbild',
      fr: 'immobile|sans mouvement|image fixe',
      es: 'inmóvil|sin movimiento|imagen fija',
    },
  ],
  [
    move('static'),
    {
      en: 'static|static camera|still camera|fixed camera|no camera movement|locked off|locked camera',
      de: 'statische kamera|feste kamera',
      fr: 'caméra fixe',
      es: 'cámara fija',
    },
  ],
  [
    { kind: 'scene' },
    {
      en: 'scene|scenes|shot number|slide number|step',
      de: 'szene|szenen|schritt',
      fr: 'scène|scènes|étape',
      es: 'escena|escenas|paso',
    },
  ],
  [
    { kind: 'whole' },
    {
      en: 'animation|animations|video|videos|clip|film|movie|whole thing|everything|all|whole film|gif|motion graphic|motion graphics|intro video|launch teaser|launch video|product launch|teaser|promo|commercial|advert|end screen|end slide|title card|title sequence|outro card',
      de: 'animationen|videoclip|alles|ganze|ganzen',
      fr: 'vidéo|tout',
      es: 'animación|vídeo|todo|película',
    },
  ],
  [
    { kind: 'total' },
    {
      en: 'total|in total|overall|long|altogether|duration|length|lasting|lasts|runtime|takes',
      de: 'insgesamt|lang|dauer|lange|dauert|länge',
      fr: 'au total|durée|dure',
      es: 'en total|duración|dura',
    },
  ],
  [
    { kind: 'inTurn' },
    {
      en: 'one after another|one after the other|one by one|in turn|in sequence|successively',
      de: 'nacheinander|einer nach dem anderen|eins nach dem anderen',
      fr: "l'un après l'autre|successivement",
      es: 'uno tras otro|uno por uno',
    },
  ],
  [
    { kind: 'countdown' },
    {
      en: 'countdown|count down|counts down|counting down',
      de: 'countdown|runterzählen|herunterzählen',
      fr: 'compte à rebours',
      es: 'cuenta atrás|cuenta regresiva',
    },
  ],
  [
    { kind: 'then' },
    {
      en: 'then|after that|afterwards|followed by|finally|next|and then|after which|subsequently|later|lastly|eventually|turns into|turning into|transforms into|morphs into|changes into|which becomes',
      de: 'dann|danach|anschließend|zuletzt|schließlich|gefolgt von|zum schluss|und dann',
      fr: 'puis|ensuite|après ça|enfin|finalement|suivi de|suivie de|et puis',
      es: 'luego|después|entonces|finalmente|seguido de|por último|y luego',
    },
  ],
  [
    { kind: 'first' },
    {
      en: 'first|firstly|first of all|to begin',
      de: 'zuerst|zunächst',
      fr: "d'abord|tout d'abord",
      es: 'primero|en primer lugar',
    },
  ],
  [
    { kind: 'and' },
    {
      en: 'and|plus|as well as|while|along with|together with|alongside|next to|beside',
      de: 'und|sowie|während|neben',
      fr: 'et|ainsi que|pendant que',
      es: 'y|e|mientras|junto con',
    },
  ],
  [
    { kind: 'not' },
    {
      en: "no|not|without|don't|do not|never|minus|except|doesn't|does not|shouldn't|should not|must not|mustn't|isn't|is not|are not|aren't|stop",
      de: 'kein|keine|keinen|keinem|nicht|ohne',
      fr: 'pas|sans|aucun|aucune|pas de',
      es: 'no|sin|ningún|ninguna|nunca',
    },
  ],
  [{ kind: 'on' }, { en: 'on|over|against|upon|on top of', de: 'auf|vor', fr: 'sur|devant', es: 'sobre|en' }],
  [{ kind: 'in' }, { en: 'in|into|inside', de: 'im|ins', fr: 'dans|en' }],
  [{ kind: 'from' }, { en: 'from|between', de: 'von|vom|aus', fr: 'de', es: 'desde|de' }],
  [
    { kind: 'to' },
    { en: 'to|until|towards|toward|till|up to', de: 'zu|zum|bis|nach|bis zu', fr: "jusqu'à|à|vers", es: 'hasta|a|hacia' },
  ],
  [{ kind: 'for' }, { en: 'for|during', de: 'für|lang', fr: 'pour|pendant', es: 'para|por|durante' }],
  [{ kind: 'after' }, { en: 'after|at second|at', de: 'nach', fr: 'après', es: 'tras' }],
  [{ kind: 'too' }, { en: 'too|too much|too many', de: 'zu sehr', fr: 'trop', es: 'demasiado' }],
  [
    { kind: 'pronoun' },
    {
      en: 'it|they|them|this|that one|he|she|him|her|his|its|their',
      de: 'er|sie|es|ihn|ihm|ihr|ihre|ihren|sein|seine|seinen|diese|dieser',
      fr: 'il|elle|ils|elles|le même|son|sa|ses|leur|leurs',
      es: 'él|ella|ellos|ellas|su|sus',
    },
  ],
  [
    { kind: 'article', definite: true },
    { en: 'the', de: 'der|die|das|den|dem|des', fr: "le|la|les|l'", es: 'el|la|los|las' },
  ],
  [
    { kind: 'article', definite: false },
    { en: 'a|an', de: 'ein|eine|einen|einem|einer|eines', fr: 'un|une|des', es: 'un|una' },
  ],
  [
    action('add'),
    {
      en: 'add|include|insert|put|append|bring in|give',
      de: 'füge|hinzufügen|ergänze|hinzu',
      fr: 'ajoute|ajouter|ajoutez',
      es: 'añade|agrega|añadir|agregar',
    },
  ],
  [
    action('remove'),
    {
      en: 'remove|delete|drop the|get rid of|take away|undo|take out|lose the|hide|cut|cut out|omit|erase|skip the',
      de: 'entferne|lösche|entfernen|löschen|weg|rückgängig|streiche',
      fr: 'supprime|enlève|retire|annule|supprimer|enlever',
      es: 'elimina|quita|borra|deshaz|anula|eliminar|quitar',
    },
  ],
  [
    action('change'),
    {
      en: 'make|change|set|paint|recolor|recolour|switch|use|adjust|color|colour|update|rename|edit',
      de: 'mach|mache|ändere|färbe|setze|nimm|benutze|verwende',
      fr: 'change|mets|rends|utilise|fais',
      es: 'cambia|haz|pon|usa|cambiar|hazlo|hazla',
    },
  ],
  [
    action('replace'),
    {
      en: 'replace|swap|swap out|instead of|exchange',
      de: 'ersetze|tausche|statt|anstatt',
      fr: 'remplace|au lieu de',
      es: 'reemplaza|sustituye|en vez de|en lugar de',
    },
  ],
  [
    standing('beside'),
    { de: 'daneben|nebendran', fr: "à côté|à côté d'elle|à côté de lui|près d'elle|près de lui", es: 'al lado|a su lado' },
  ],
  [standing('above'), { de: 'darüber', fr: 'au-dessus|par-dessus', es: 'encima|por encima' }],
  [standing('below'), { de: 'darunter', fr: 'au-dessous|en dessous', es: 'debajo|por debajo' }],
  [standing('on'), { de: 'darauf|obendrauf', fr: 'dessus' }],
  [standing('behind'), { de: 'dahinter', fr: 'derrière lui|derrière elle', es: 'detrás' }],
  [standing('front'), { de: 'davor', fr: 'devant lui|devant elle', es: 'delante' }],
  [standing('inside'), { de: 'darin|drinnen', fr: "dedans|à l'intérieur", es: 'dentro' }],
  [action('move'), { en: 'move|place|position', de: 'verschiebe|bewege', fr: 'déplace', es: 'mueve' }],
  [
    unsupported('sound'),
    {
      en: 'sound|sounds|music|audio|voice|voiceover|soundtrack|song|voice over|sound effects|narration',
      de: 'musik|ton|sprecher|klang|geräusche',
      fr: 'musique|son|voix',
      es: 'música|sonido|voz',
    },
  ],
  [
    unsupported('explanation'),
    {
      en: 'explain|explains|explaining|explanation|explainer|explainer video|tutorial|infographic',
      de: 'erkläre|erklärt|erklären|erklärung|erklärvideo',
      fr: 'explique|expliquer|explication',
      es: 'explica|explicar|explicación',
    },
  ],
  [
    unsupported('font'),
    { en: 'font|fonts|typeface|typefaces', de: 'schriftart|schriftarten', fr: 'police', es: 'fuente|tipografía' },
  ],
  [unsupported('shadow'), { en: 'shadow|shadows|drop shadow', de: 'schatten', fr: 'ombre|ombres', es: 'sombra|sombras' }],
];
