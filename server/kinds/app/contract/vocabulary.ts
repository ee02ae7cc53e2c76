import type { Field, FieldType } from '../../../../sandbox-image/templates/app/model/document.ts';

/** What a field can be about, and the words that name it. Words are stems as `stemOf` gives them. */
export interface Concept {
  readonly id: string;
  readonly name: string;
  readonly type: FieldType;
  readonly words: readonly string[];
  /** Words after which the field is called, such as “fee” or “pupil”. */
  readonly own?: readonly string[];
  /** Names of fields that say the same. Without it, every field of the type does. */
  readonly like?: RegExp;
  readonly unit?: string;
  readonly choices?: readonly string[];
}

const list = (words: string) => words.split(' ');

/** People who are the subject of a field or of a list. */
export const people = list(
  'child pupil student member customer client tenant guest patient volunteer player friend neighbour employee colleague teacher parent driver owner borrower worker sponsor donor supplier instructor coach applicant candidate visitor singer musician trainee',
);

/** In the order in which a new list has them. */
export const concepts: readonly Concept[] = [
  {
    id: 'author',
    name: 'Author',
    type: 'text',
    words: list('author composer artist writer'),
    own: list('author composer artist'),
    like: /author|composer|artist/i,
  },
  {
    id: 'category',
    name: 'Category',
    type: 'text',
    words: list('category kind genre type sort'),
    own: list('category kind genre type'),
    like: /categor|kind|type|genre|group/i,
  },
  {
    id: 'person',
    name: 'Person',
    type: 'text',
    words: [...list('who person assigned assignee responsible whose'), ...people],
    own: people,
    like: /person|people|who|assign|member|customer|neighbour|borrower|lent to|with$|cook$/i,
  },
  { id: 'date', name: 'Date', type: 'date', words: list('date when'), like: /./ },
  { id: 'time', name: 'Time', type: 'time', words: list('clock'), like: /./ },
  { id: 'birthday', name: 'Birthday', type: 'date', words: list('birthday birthdate'), like: /birth/i },
  { id: 'lent', name: 'Lent on', type: 'date', words: [], like: /lent|from|out/i },
  {
    id: 'due',
    name: 'Due',
    type: 'date',
    words: list('due deadline until expire expiry expiration renewal'),
    like: /due|until|deadline|expir|^to$/i,
  },
  {
    id: 'place',
    name: 'Place',
    type: 'text',
    words: list('place location where room'),
    own: list('location room'),
    like: /place|location|room|kept|shelf|where|address/i,
  },
  { id: 'distance', name: 'Distance', type: 'number', words: list('distance km mile'), like: /distance|km|mile/i, unit: 'km' },
  {
    id: 'minutes',
    name: 'Minutes',
    type: 'number',
    words: list('duration minute'),
    like: /minute|duration|length/i,
    unit: 'min',
  },
  { id: 'hours', name: 'Hours', type: 'number', words: list('hour'), like: /hour|minute/i, unit: 'h' },
  { id: 'weight', name: 'Weight', type: 'number', words: list('weight kg kilo'), like: /weight/i, unit: 'kg' },
  {
    id: 'quantity',
    name: 'Quantity',
    type: 'number',
    words: list('quantity many count number piece'),
    like: /quantity|amount|stock|count|pieces|serves/i,
  },
  {
    id: 'money',
    name: 'Amount',
    type: 'money',
    words: list('price cost amount fee rent deposit salary wage donation value worth much owe spend buy sell paid pay money'),
    own: list('price cost fee rent deposit salary wage value'),
  },
  { id: 'paid', name: 'Paid', type: 'yesno', words: list('paid pay unpaid owe'), like: /paid|settled/i },
  {
    id: 'status',
    name: 'Status',
    type: 'choice',
    words: list('status progress stage state repair'),
    like: /stat|stage|progress|condition/i,
    choices: ['Open', 'In progress', 'Done'],
  },
  { id: 'rating', name: 'Rating', type: 'rating', words: list('rating star rate rated score liked feeling felt'), like: /./ },
  { id: 'returned', name: 'Returned', type: 'yesno', words: list('returned return back'), like: /return|back/i },
  {
    id: 'done',
    name: 'Done',
    type: 'yesno',
    words: list('done tick ticked finished complete completed'),
    like: /done|finished|complete|read|packed/i,
  },
  { id: 'phone', name: 'Phone', type: 'phone', words: list('phone mobile telephone') },
  { id: 'email', name: 'E-mail', type: 'email', words: list('email mail') },
  { id: 'address', name: 'Address', type: 'text', words: list('address'), like: /address|house|place/i },
  { id: 'link', name: 'Link', type: 'link', words: list('link website url') },
  { id: 'picture', name: 'Picture', type: 'image', words: list('photo picture image') },
  { id: 'note', name: 'Note', type: 'longtext', words: list('note remark comment') },
];

/** Verbs that say more than they name: what is lent comes back. */
export const implied: Readonly<Record<string, readonly string[]>> = {
  lend: ['person', 'lent', 'due', 'returned'],
  borrow: ['person', 'lent', 'due', 'returned'],
  hire: ['person', 'lent', 'due', 'returned'],
  reserve: ['date', 'person'],
  watering: ['date'],
  spend: ['date'],
  buy: ['date'],
  sell: ['date'],
};

/** Things of which people keep lists, and what they usually want to know of each. */
const usual: Readonly<Record<string, string>> = {
  'book novel comic magazine': 'author',
  'chore task errand todo': 'person due done',
  'job project': 'person status due',
  'run ride swim walk hike cycling': 'date distance minutes',
  recipe: 'category minutes',
  'plant seedling tree flower vegetable crop seed': 'place date',
  'payment expense purchase sale cost donation': 'date money',
  'invoice bill': 'date money due paid',
  'contract subscription insurance licence membership warranty': 'money due',
  'event meeting appointment rehearsal concert match party excursion outing': 'date place',
  'lesson class course workshop': 'date person',
  'order request complaint ticket': 'person date status',
  'song piece': 'author',
  'gift present wish': 'person money done',
  'idea suggestion': 'person status',
  'movie album show podcast': 'category rating',
  'wine beer coffee cheese restaurant whisky': 'category rating',
  'car vehicle boat van bike': 'place due',
  'key costume uniform instrument jersey': 'person returned',
  'animal pet dog cat horse hen chicken hive cow sheep goat rabbit': 'category birthday',
  egg: 'date quantity',
  'medicine medication pill': 'quantity date',
  'room flat house property apartment': 'person money',
  'application lead': 'status date',
  'homework assignment exam test': 'category due done',
  'measurement reading': 'date quantity',
  'stamp coin card toy game puzzle': 'category',
  'document certificate passport permit': 'person due',
  'article product item bottle material': 'category quantity',
  'shift duty': 'date person',
  visit: 'date person',
  'hour timesheet': 'date hours person',
  'problem defect fault damage': 'place status date',
  'delivery parcel shipment': 'date person done',
  'picnic dish snack': 'person',
};

const contact = ['phone', 'email'];

/** The concepts of a thing that is known, by its stem. */
export const things: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(usual).flatMap(([words, ids]) => list(words).map((word) => [word, list(ids)] as const)),
  ...people.map((word) => [word, contact] as const),
  ['birthday', ['date']] as const,
]);

/** A field of a concept, called after the word that names it where that says more. */
export function fieldOf({ id, name, type, own = [], unit, choices = [] }: Concept, stem: string | null, currency: string): Field {
  const isOwn = stem !== null && own.includes(stem);
  const common = { id: isOwn ? stem : id, name: isOwn ? stem.charAt(0).toUpperCase() + stem.slice(1) : name };
  switch (type) {
    case 'money':
      return { ...common, type, currency };
    case 'number':
      return { ...common, type, ...(unit !== undefined && { unit }) };
    case 'choice': {
      const hues = ['grey', 'blue', 'green'] as const;
      return {
        ...common,
        type,
        choices: choices.map((text, at) => ({
          id: text.toLowerCase().replaceAll(' ', '-'),
          name: text,
          hue: hues[at % hues.length] ?? 'grey',
        })),
      };
    }
    case 'relation':
    case 'computed':
    case 'choices':
      return { ...common, type: 'text' };
    default:
      return { ...common, type };
  }
}
