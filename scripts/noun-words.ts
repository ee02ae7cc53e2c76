/** Lists by hand for `scripts/nouns.ts`: what the packages cannot know. */

/** Keywords that only have to do with their drawing: a bakery is no bagel. */
export const related = new Set(
  `actor actress alces american antarctica aquarius archer bakery barber bathroom beach bead beak bearer billionaire biologist
bisque born bow box bullet cabbage cafe calculator can casino cell champion chef chemist christian climb cocktail collage comic
condiment controller crook cyclist dad dairy dam delicious derelict diesel diet dinner dive doctor drunk dupe electric empty
engine equestrian european extra extraterrestrial farm feed female flamboyant flat flathead flautist flipper flirt fry garnish
gay grain groom handy heavy hindu honey immortal infant irish jew king kitchen knit lab lady lake lamp landing lesbian libra
lunch machine magician major male mane margarita marine married martial maze millionaire mount museum mute muslim national
natural ocean octoberfest oktoberfest ophiuchus orthoptera painter parasite passenger pepperoni picket pipe pirate plumber
pool pop pork predator preserver punk queen queer ranch reincarnation rip royal rung sagittarius salsa sauce saver scholar
screw scuba sea settle shallow silly simple skater snout soldier sour sprinkles stinger stripe stub sugar super surfer tai
taurus tequila theater theatre thespian tough treat truffle valentine vcr vegetarian virus warrior wheat white winner witch
wizard wrapper young zoo art bull clothing down instrument restaurant shaker ski tool veggie weapon barrier container vehicle
seat flavoring device structure building covering food drink party birthday mammal invertebrate toiletry
tableware explosive cord stick tube fowl pole photo picture dish shelter`.split(/\s+/),
);

/** Where several drawings fit a word equally well: the one that people mean. */
export const meant: Readonly<Record<string, string>> = {
  car: 'automobile',
  cake: 'birthday-cake',
  phone: 'mobile-phone',
  tree: 'deciduous-tree',
  flower: 'tulip',
  boat: 'sailboat',
  bear: 'bear',
  fish: 'fish',
  leaf: 'leaf-fluttering-in-wind',
  truck: 'delivery-truck',
  bag: 'handbag',
  cup: 'teacup-without-handle',
  book: 'closed-book',
  letter: 'envelope',
  shoe: 'running-shoe',
  hat: 'top-hat',
  present: 'wrapped-gift',
  box: 'package',
  cardboard: 'package',
  bulb: 'light-bulb',
  engine: 'locomotive',
  king: 'person-with-crown',
  queen: 'person-with-crown',
  knight: 'guard',
  soldier: 'guard',
  doctor: 'health-worker',
  nurse: 'health-worker',
  chef: 'cook',
  painter: 'artist',
  wizard: 'person-mage',
  witch: 'person-mage',
  magician: 'person-mage',
  hero: 'person-superhero',
  superhero: 'person-superhero',
  villain: 'person-supervillain',
  zombie: 'person-zombie',
  vampire: 'person-vampire',
  fairy: 'person-fairy',
  elf: 'person-elf',
  mermaid: 'person-merpeople',
  runner: 'person-running',
  swimmer: 'person-swimming',
  surfer: 'person-surfing',
  cyclist: 'person-biking',
  juggler: 'person-juggling',
  climber: 'person-climbing',
  golfer: 'person-golfing',
  lady: 'woman',
  mother: 'woman',
  mom: 'woman',
  father: 'man',
  dad: 'man',
  policeman: 'police-officer',
  fireman: 'firefighter',
  postman: 'person-walking',
  employee: 'office-worker',
  manager: 'office-worker',
  boss: 'office-worker',
  customer: 'person',
  'traffic light': 'vertical-traffic-light',
  stoplight: 'vertical-traffic-light',
  somebody: 'person',
  someone: 'person',
  anybody: 'person',
  honey: 'honey-pot',
  fruit: 'red-apple',
  insect: 'lady-beetle',
  flag: 'triangular-flag',
  ball: 'soccer-ball',
  pirate: 'pirate-flag',
  machine: 'gear',
  van: 'mdi-van-utility',
  arrow: 'mdi-arrow-right-bold',
  notification: 'mdi-bell-badge',
  message: 'mdi-message-text',
  document: 'mdi-file-document',
  file: 'mdi-file-document',
  invoice: 'mdi-receipt-text',
  bottle: 'mdi-bottle-wine',
  plug: 'mdi-power-plug',
  parcel: 'package',
  hand: 'raised-hand',
  thumb: 'thumbs-up',
  finger: 'index-pointing-up',
  fist: 'raised-fist',
  arm: 'mechanical-arm',
  drop: 'droplet',
  raindrop: 'droplet',
  teardrop: 'droplet',
  snowflake: 'snowflake',
  inbox: 'inbox-tray',
  mug: 'hot-beverage',
  teacup: 'teacup-without-handle',
  mum: 'woman',
  mama: 'woman',
  papa: 'man',
  grandad: 'old-man',
  uncle: 'man',
  aunt: 'woman',
  duckling: 'baby-chick',
  gear: 'gear',
  cog: 'gear',
  drone: 'mdi-quadcopter',
  database: 'mdi-database',
  computer: 'laptop',
  screen: 'mdi-monitor',
  cloud: 'cloud',
  oven: 'mdi-toaster-oven',
  can: 'mdi-trash-can',
  domino: 'mdi-rectangle',
  rectangle: 'mdi-rectangle',
  magnet: 'magnet',
  monument: 'mdi-chess-rook',
  carousel: 'carousel-horse',
  pizza: 'pizza',
  tap: 'mdi-faucet',
  sink: 'mdi-countertop',
  wool: 'yarn',
  drawer: 'file-cabinet',
  weight: 'mdi-weight',
  pump: 'mdi-water-pump',
  pipe: 'mdi-pipe',
  target: 'bullseye',
  hole: 'hole',
};

/** Words of the set's own, and things that its sign of that name does not show. */
export const noSign = new Set(
  `git hub lan tor wan hops more nuke mine mix draw delta dolby equal export import forward babel ipod yahoo amazon android
archive blogger braille console cordova docker pandora segment bootstrap firebase variable reset loading assistant exponent
resistor fencing human archive leak crop`.split(/\s+/),
);

/** Words that are no things, or others in most sentences. */
export const foreignOthers = new Set(
  `zzz uni bar prozess sicherheit zeit zuhause heim multitasking son bien mal place temps star rock dormir coucher lire étudier
payer apprendre coudre aveugle jeune privé verrouillé sucré acide magique mexicain nage faire date jouet ramer cuisine bosse
joven mágico privado coser nadar botar anidar mexicano campo inexpresivo sueño invidente vuelo paleta camino datum recht kunst
soir affaires profession savoir lecture enseignement apprentissage nouveau spectacle courses acceso complementos forma due`.split(
    /\s+/,
  ),
);
