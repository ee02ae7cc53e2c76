/** Words that carry no wish of their own. They also tell the languages apart. */
export const fillerWords: Readonly<Record<'en' | 'de' | 'fr' | 'es', string>> = {
  en: `of with by as is are be been being was were will would could should can may might must have has had do does did i me my we us our you your who which
that these those there here how so just very really quite bit little-bit please want wants need needs like likes looks look kind sort also again still only
create creating generate show shows showing see display displays displayed produce animate animated build design draw render play plays featuring feature
features make makes making let lets get gets getting having using about some any each every other same new nice cool beautiful pretty great good awesome
amazing stunning lovely perfect interesting stylish colored coloured colors colours color colour screen frame canvas picture
image style styled feel feeling vibe look-and-feel effect effects motion transition transitions format aspect ratio size sized speed
speeds off out onto through across around along away back forth past under underneath behind front where when if because but or than
per instead together itself themselves itself herself way begin begins starts ends start ending on-screen piece content
thing things something someone object objects element elements item items of-course ok okay now today it's let's i'd there's that's
everywhere side sides slight slightly much enough apart up-and-down touches touching hits hit intro outro view shot ground floor air
corner edge surface whole entire complete full keep keeps stay stays holds hold wait waits pause pauses loop loops looping seamless
endless continuously constantly forever repeatedly repeat repeats fill fills filled cover covers covering leave leaves-the exits exit
fade-out fades-out fading-out out-of come comes coming end become becomes named well more less most least
 settle settles settling number numbers version short brief thanks thank high-quality quality hd 4k 1080p 720p full-hd resolution 
 scaled flat 2d 3d realistic glossy matte shiny plastic material abstract geometric random standing sitting lying placed
resting rests sits stands surrounding surrounded row column adjacent atop`,
  de: `mit ist sind wird werden soll sollen bitte ich mir mein meine wir uns unser du dein dass welche welcher welches einfach sehr ganz etwas auch noch
wieder nur schön schöne schönes cool tolle toll zeig zeige erstelle erzeuge animiere animiert animation video kurz kurzes kurze farbe farbig
bild bildschirm stil format herein hinein rein durch über um bei am an beim wobei wenn aber oder als wie so sich hier da es-gibt gibt 
nahe steht liegt herum rund in hoch-und-runter ab auf-und-ab hinaus raus los immer mehr weniger ding langes dabei davon damit`,
  fr: `avec est sont sera soit que qui je moi mon ma mes nous notre vous votre tu ce cette ces très aussi encore juste simplement s'il plaît te crée créer créez génère
montre affiche vidéo animation clip couleur écran image style format par autour fait faire à côté gauche droite dessus dessous derrière devant entre beau belle joli jolie court courte du au aux se sa son ses ou mais comme
plus moins chose quelque il-y-a y a d l c'est`,
  es: `con es son será sea que quien yo mi mis nosotros nuestro tú su sus muy también simplemente por-favor favor crea crear genera muestra mostrar vídeo video
animación clip color pantalla imagen estilo formato alrededor hace hacer bonito bonita corto corta del al lado junto encima debajo detrás delante entre se lo le o pero como más menos cosa algo hay este esta estos`,
};
