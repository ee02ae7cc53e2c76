import type { WordRow } from './modifiers.ts';

/** Words that are said on occasions: a text by themselves. */
export const occasionRows: readonly WordRow[] = [
  [
    { kind: 'greeting' },
    {
      en: "happy birthday|merry christmas|merry xmas|happy new year|happy easter|happy halloween|happy thanksgiving|happy holidays|happy hanukkah|happy diwali|eid mubarak|happy anniversary|happy retirement|happy mothers day|happy fathers day|happy valentines day|season's greetings|congratulations|congrats|well done|good job|good luck|get well soon|best wishes|thank you|many thanks|thanks for watching|thanks for coming|good morning|good evening|good night|hello world|welcome|welcome back|i love you|just married|it's a boy|it's a girl|you're invited|you are invited|join us|follow us|like and subscribe|link in bio|swipe up|coming soon|starting soon|opening soon|be right back|to be continued|once upon a time|save the date|the end|game over|level up|you win|you lose|high score|press start|mission complete|ready set go|summer sale|winter sale|spring sale|autumn sale|flash sale|big sale|mega sale|final sale|clearance sale|garage sale|black friday|cyber monday|special offer|limited offer|last chance|free shipping|sold out|back in stock|grand opening|now open|now hiring|we are hiring|we're hiring|we are open|we're open|new arrivals|new collection|new episode|breaking news|out now|available now|order now|buy now|stay tuned|stay safe|happy hour",
      de: 'alles gute zum geburtstag|alles liebe zum geburtstag|alles gute|alles liebe|herzlichen glückwunsch zum geburtstag|herzlichen glückwunsch|frohe weihnachten|frohes fest|frohes neues jahr|frohes neues|frohe ostern|guten rutsch|guten morgen|guten tag|guten abend|gute nacht|gute besserung|gute reise|viel glück|viel erfolg|vielen dank|danke|dankeschön|danke fürs zuschauen|herzlich willkommen|willkommen|hallo welt|ich liebe dich|bis bald|wir stellen ein|wir suchen dich|demnächst|jetzt neu|sonderangebot|neueröffnung|ausverkauft|sommerschlussverkauf|winterschlussverkauf',
      fr: "joyeux anniversaire|bon anniversaire|joyeux noël|bonne année|bonne fête|joyeuses fêtes|joyeuses pâques|bienvenue|félicitations|bravo|merci|merci beaucoup|bonjour|bonsoir|bonne nuit|bonne chance|bon voyage|à bientôt|bientôt disponible|prochainement|on recrute|nous recrutons|je t'aime|soldes d'été|soldes d'hiver|soldes",
      es: 'feliz cumpleaños|feliz navidad|feliz año nuevo|feliz aniversario|felices fiestas|felices pascuas|bienvenidos|bienvenidas|bienvenido|bienvenida|felicidades|enhorabuena|gracias|muchas gracias|hola|hola mundo|buenos días|buenas noches|buena suerte|buen viaje|próximamente|muy pronto|te quiero|te amo|estamos contratando|gran inauguración|rebajas|rebajas de verano',
    },
  ],
  [
    { kind: 'occasion', words: 'Happy birthday' },
    {
      en: 'birthday greeting|birthday greetings|birthday card|birthday wish|birthday wishes|birthday message|birthday video|birthday animation',
    },
  ],
  [
    { kind: 'occasion', words: 'Alles Gute zum Geburtstag' },
    { de: 'geburtstagsgruß|geburtstagsgrüße|geburtstagskarte|geburtstagsvideo' },
  ],
  [{ kind: 'occasion', words: 'Joyeux anniversaire' }, { fr: "carte d'anniversaire|voeux d'anniversaire" }],
  [{ kind: 'occasion', words: 'Feliz cumpleaños' }, { es: 'tarjeta de cumpleaños|felicitación de cumpleaños' }],
];
