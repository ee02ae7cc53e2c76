import type { WordRow } from './modifiers.ts';

/** Words that are said on occasions: a text by themselves. */
export const occasionRows: readonly WordRow[] = [
  [
    { kind: 'greeting' },
    {
      en: 'happy birthday|merry christmas|happy new year|happy easter|happy halloween|congratulations|congrats|thank you|good morning|good night|coming soon|save the date|the end|game over|get well soon|happy anniversary|summer sale|winter sale|spring sale|autumn sale|flash sale|big sale|mega sale|black friday|cyber monday|special offer|limited offer|grand opening|now open|now hiring|we are hiring|new arrivals|breaking news|out now|available now|stay tuned',
      de: 'alles gute|frohe weihnachten|guten morgen|herzlichen glückwunsch|vielen dank|herzlich willkommen|frohe ostern',
      fr: 'joyeux anniversaire|joyeux noël|bonne année|bienvenue|félicitations|merci beaucoup',
      es: 'feliz cumpleaños|feliz navidad|feliz año nuevo|bienvenidos|felicidades|muchas gracias',
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
