import type { Film, FormatScene } from '#kinds/film/contract/film.ts';
import { choiceFields, convertScene } from '../../document/convert.ts';
import { formatOf } from '../../formats/catalogue.ts';
import { clip } from '../read/fill.ts';
import { fold } from '../read/reading.ts';
import { findAmounts } from '../read/values.ts';
import type { Change, Changed, Props } from './change.ts';
import { ordinalIn, scenesFor, withProps } from './change.ts';

/** For each format with entries: the field that holds them, the text field of an entry, and an entry's default values. */
const lists: Readonly<Record<string, readonly [string, string, Props]>> = {
  checklist: ['items', 'text', { icon: null, done: true }],
  list: ['items', 'text', { detail: null, value: null, icon: null }],
  steps: ['steps', 'label', { detail: null, icon: null }],
  features: ['features', 'label', { icon: null }],
  timeline: ['entries', 'label', { date: '', icon: null }],
  'bar-chart': ['items', 'label', {}],
  number: ['numbers', 'label', { from: null, decimals: 0, prefix: '', suffix: '', trend: null }],
  chat: ['messages', 'text', { who: null, side: 'left' }],
};
const entriesOf = (format: string, props: unknown): Props[] => {
  const list = lists[format];
  const entries = list === undefined ? undefined : (props as Props)[list[0]];
  return Array.isArray(entries) ? (entries as Props[]) : [];
};
const quotes = /^["“„«'‘]\s*|\s*["”“»'’]$/gu;
const bare = (text: string) => text.trim().replace(/[.!]$/u, '').replace(quotes, '').trim();

function withEntries(film: Film, index: number, entries: readonly Props[], more: Props = {}): Film | null {
  const scene = film.scenes[index];
  if (scene === undefined || !('format' in scene)) return null;
  const field = lists[scene.format]?.[0];
  return field === undefined ? null : withProps(film, index, { ...(scene.props as Props), ...more, [field]: entries });
}

const doesNotFit = (text: string): Changed => ({
  film: null,
  note: `“${clip(text, 60)}” does not fit there, so I skipped that change.`,
});

function replaceText(film: Film, clause: string, from: string, to: string): Changed {
  const wanted = fold(from);
  let result = film;
  let count = 0;
  let isTooLong = false;
  const pattern = new RegExp(from.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&').replace(/\s+/gu, '\\s+'), 'giu');
  const isNumber = /^-?\d+(?:[.,]\d+)?$/u.test(to);
  const replaced = (value: unknown): string | number | null => {
    if (typeof value === 'number')
      return isNumber && String(value) === from.replace(',', '.') ? Number(to.replace(',', '.')) : null;
    if (typeof value !== 'string') return null;
    if (fold(value) === wanted) return to;
    return value.search(pattern) >= 0 ? value.replace(pattern, () => to) : null;
  };
  for (const { scene, index } of scenesFor(film, clause)) {
    let isHit = false;
    const visit = (value: unknown, key: string): unknown => {
      if (Array.isArray(value)) return value.map((each) => visit(each, key));
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each, name)]));
      const result = typeof value === 'string' && choiceFields.has(key) ? null : replaced(value);
      isHit ||= result !== null;
      return result ?? value;
    };
    const props = visit(scene.props, '') as Props;
    if (!isHit) continue;
    const changed = withProps(result, index, props);
    if (changed === null) isTooLong = true;
    else [result, count] = [changed, count + 1];
  }
  if (count > 0) return { film: result, note: `I replaced “${clip(from, 40)}” with “${clip(to, 40)}”.` };
  return isTooLong ? doesNotFit(to) : { film: null, note: `No scene shows “${clip(from, 60)}”.` };
}

const entryWord =
  /\b(?:items?|points?|entry|entries|steps?|rows?|lines?|bullets?|features?|bars?|messages?|punkte?|eintrag|zeile|schritt|élément|ligne|étape|elemento|punto|paso|línea)\b/iu;

/** Handles “second item: Tea” and “the title should be Hello”. */
const setField: Change = ({ film }, clause) => {
  const found =
    /^(.{3,40}?)(?:\s*[:=]\s*|\s+(?:should (?:be|say|read)|soll(?:te)?(?: \S+)? (?:heißen|sein|lauten):?|(?:to|doit être|debe ser|debería ser)|is)\s+)(.+)$/iu.exec(
      clause,
    );
  if (found === null) return null;
  const label = (found[1] ?? '').replace(/^(?:change|set|make|ändere?|change|cambia|pon)\s+/iu, '');
  const text = bare(found[2] ?? '').replace(/\s+(?:heißen|sein|lauten)$/iu, '');
  if (text === '') return null;
  const scenes = scenesFor(film, clause);
  if (entryWord.test(label)) return setEntry(film, scenes, label, text);
  const field = fields.find(([, pattern]) => pattern.test(label))?.[0];
  if (field === undefined || label.split(/\s+/u).length > 6) return null;
  for (const { scene, index } of scenes) {
    const props = scene.props as Props;
    const name = fieldIn(props, field);
    if (name === null) continue;
    const losesEmphasis = name === 'text' && Array.isArray(props['emphasis']);
    const changed = withProps(film, index, { ...props, [name]: text, ...(losesEmphasis ? { emphasis: [] } : {}) });
    if (changed === null) return doesNotFit(text);
    return { film: changed, note: `The ${field} in scene ${index + 1} is now “${text}”.` };
  }
  return { film: null, note: `No scene in this film has a field for the ${field}.` };
};

function setEntry(film: Film, scenes: ReturnType<typeof scenesFor>, label: string, text: string): Changed | null {
  for (const { scene, index } of scenes) {
    const entries = entriesOf(scene.format, scene.props);
    const at = ordinalIn(label, entries.length) ?? numberIn(label, entries.length);
    if (at === null || entries[at] === undefined) continue;
    const field = lists[scene.format]?.[1] ?? 'text';
    const edited = entries.map((entry, each) => (each === at ? { ...entry, [field]: text } : entry));
    const changed = withEntries(film, index, edited);
    if (changed === null) return doesNotFit(text);
    return { film: changed, note: `Entry ${at + 1} in scene ${index + 1} is now “${text}”.` };
  }
  if (ordinalIn(label, 99) === null && numberIn(label, 99) === null) return null;
  return { film: null, note: 'No scene has an entry with that number.' };
}

const numberIn = (text: string, count: number): number | null => {
  const found = Number(/\b(\d{1,2})\b/u.exec(text)?.[1] ?? Number.NaN) - 1;
  return found >= 0 && found < count ? found : null;
};

const fields: readonly (readonly [string, RegExp])[] = [
  ['subtitle', /\b(?:subtitle|subline|untertitel|sous-titre|subtítulo)\b/iu],
  ['kicker', /\bkicker\b/iu],
  ['tagline', /\b(?:tagline|slogan|claim)\b/iu],
  ['title', /\b(?:title|headline|heading|titel|überschrift|titre|título)\b/iu],
  ['author', /\b(?:author|autor|auteur)\b/iu],
  ['source', /\b(?:source|quelle|fuente)\b/iu],
  ['unit', /\b(?:unit|einheit|unité|unidad)\b/iu],
  ['time', /\b(?:time|uhrzeit|heure|hora)\b/iu],
  ['action', /\b(?:action|button|call to action|knopf|bouton|botón)\b/iu],
  ['url', /\b(?:url|link|address|adresse|dirección)\b/iu],
  ['handle', /\bhandle\b/iu],
  ['caption', /\b(?:caption|bildunterschrift|légende|leyenda)\b/iu],
  ['verdict', /\bverdict\b/iu],
  ['name', /\bname\b/iu],
];
/** For each requested field: the fields to change instead if the format lacks it, in order of preference. */
const standIns: Readonly<Record<string, readonly string[]>> = {
  title: ['title', 'headline', 'text', 'product'],
  subtitle: ['subtitle', 'tagline', 'subline', 'unit'],
  tagline: ['tagline', 'subtitle'],
};

const fieldIn = (props: Props, field: string): string | null =>
  (standIns[field] ?? [field]).find((name) => name in props && (typeof props[name] === 'string' || props[name] === null)) ?? null;

const replace: Change = ({ film }, clause) => {
  const patterns = [
    /\b(?:replace|substitute|ersetze?|tausche?|remplace[rz]?|reemplaza|sustituye|cambia)\s+(.+?)\s+(?:with|by|durch|gegen|par|por)\s+(.+)$/iu,
    /\b(?:change|rename|ändere?|changer?|cambia)\s+(.+?)\s+(?:to|into|zu|in|en|a)\s+(.+)$/iu,
    /^(.+?)\s+instead of\s+(.+)$/iu,
    /^(?:statt|anstatt|anstelle von|au lieu de|en lugar de|instead of)\s+(.+?)[,:]?\s+(.+)$/iu,
    /^(.{1,60}?)\s+(?:should (?:be|say|read)|doit être|debe ser|soll)\s+(.+?)(?:\s+(?:heißen|sein))?$/iu,
  ];
  for (const [index, pattern] of patterns.entries()) {
    const found = pattern.exec(clause);
    if (found === null) continue;
    const [one, other] = [bare(found[1] ?? ''), bare(found[2] ?? '')];
    if (one === '' || other === '') continue;
    const result =
      index === 2
        ? replaceText(film, clause, other.replace(/^(?:the|a)\s+/iu, ''), one.replace(/^(?:use|put|write)\s+/iu, ''))
        : replaceText(film, clause, one.replace(/^(?:the (?:word|text) |das wort |le mot )/iu, ''), other);
    if (result.film !== null || index < 1) return result;
    if (index === 1 && /^(?:the |it)/iu.test(one)) continue;
    return index === 4 && result.film === null ? null : result;
  }
  return null;
};

const add: Change = ({ film }, clause) => {
  const found =
    /^(?:add|append|include|füge?|ajoute[rz]?|añade|agrega)\s+(?:(?:an?|the|another|one more|eine?n?|noch|une?|otro|un)\s+)?(?:(?:items?|points?|entry|steps?|rows?|bullets?|features?|bars?|punkt|eintrag|schritt|élément|étape|elemento|punto|paso)\b\s*:?\s*)?(.+?)(?:\s+(?:hinzu|to (?:the|it|that)(?: \S+)?|zur? \S+|à la liste|a la lista))?$/iu.exec(
      clause,
    );
  const text = bare(found?.[1] ?? '');
  if (text === '' || /\b(?:music|logo|scene|szene|scène|escena|emoji)\b/iu.test(clause)) return null;
  for (const { scene, index } of scenesFor(film, clause)) {
    const list = lists[scene.format];
    if (list === undefined) continue;
    const entry = newEntry(scene.format, text, film.language);
    if (entry === null) return { film: null, note: missingPart(scene.format, text) };
    const changed = withEntries(film, index, [...entriesOf(scene.format, scene.props), entry]);
    return changed === null
      ? { film: null, note: `Scene ${index + 1} has no space for “${clip(text, 60)}”.` }
      : { film: changed, note: `I added “${clip(text, 60)}” to scene ${index + 1}.` };
  }
  return { film: null, note: 'No scene in this film has a list to add to.' };
};

/** Reads a new entry's text. Returns `null` if it lacks the value or date that the format needs. */
function newEntry(format: string, text: string, language: string): Props | null {
  const [, textField = 'text', defaults = {}] = lists[format] ?? [];
  if (format === 'timeline') {
    const [, date = '', label = ''] = /^(\S{1,18})[:\s]+(.+)$/u.exec(text) ?? [];
    return date === '' ? null : { date, label, icon: null };
  }
  if (format !== 'bar-chart' && format !== 'number') return { ...defaults, [textField]: text };
  const amount = findAmounts(text, language).at(-1);
  if (amount === undefined) return null;
  const label = bare(text.slice(0, amount.start).replace(/[\s:=]+$/u, '') || text.slice(amount.end));
  if (label === '') return null;
  const { value, decimals, prefix, suffix } = amount;
  return format === 'number' ? { ...defaults, value, decimals, prefix, suffix, label } : { label, value };
}

const missingPart = (format: string, text: string): string =>
  format === 'timeline'
    ? 'A date is missing. For example, write “add 2026: Second shop”.'
    : `A value is missing. For example, write “add ${clip(text, 20)} 12”.`;

const remove: Change = ({ film }, clause) => {
  const found =
    /^(?:remove|delete|drop|cut|take out|without|no|lösche?|entferne?|streiche|ohne|kein|supprime[rz]?|enlève|retire|sans|quita|elimina|borra|sin)\s+(?:(?:the|den|die|das|le|la|les|l['’]|el|los|las)\s+)?(.+?)$/iu.exec(
      clause,
    );
  const text = bare(found?.[1] ?? '');
  if (text === '') return null;
  const field = fields.find(([, pattern]) => pattern.test(text) && text.split(/\s+/u).length <= 3)?.[0];
  const scenes = scenesFor(film, clause);
  const removed = (field === undefined ? null : removeField(film, scenes, field)) ?? removeEntry(film, scenes, text);
  if (removed !== null) return removed;
  return field === undefined
    ? { film: null, note: `No scene has the entry “${clip(text, 60)}”.` }
    : { film: null, note: `There is no ${field} that can be removed.` };
};

function removeField(film: Film, scenes: ReturnType<typeof scenesFor>, field: string): Changed | null {
  for (const { scene, index } of scenes) {
    const props = scene.props as Props;
    const name = (standIns[field] ?? [field]).find((each) => typeof props[each] === 'string');
    const changed = name === undefined ? null : withProps(film, index, { ...props, [name]: null });
    if (changed !== null) return { film: changed, note: `I removed the ${field} from scene ${index + 1}.` };
  }
  return null;
}

function removeEntry(film: Film, scenes: ReturnType<typeof scenesFor>, text: string): Changed | null {
  const wanted = fold(text.replace(entryWord, '').trim() || text);
  for (const { scene, index } of scenes) {
    const list = lists[scene.format];
    const entries = entriesOf(scene.format, scene.props);
    if (list === undefined || entries.length === 0) continue;
    const position = entryWord.test(text) ? (ordinalIn(text, entries.length) ?? numberIn(text, entries.length)) : null;
    const texts = entries.map((entry) => fold(String(entry[list[1]] ?? '')));
    const exact = texts.indexOf(wanted);
    const named = exact >= 0 ? exact : texts.findIndex((each) => ` ${each} `.includes(` ${wanted} `));
    const at = position ?? named;
    if (at < 0) continue;
    const remaining = entries.filter((_, each) => each !== at);
    const changed = withEntries(film, index, remaining, highlightWithout(at, scene.props as Props));
    return changed === null
      ? { film: null, note: `Scene ${index + 1} needs that entry, so I kept it.` }
      : { film: changed, note: `I removed “${clip(String(entries[at]?.[list[1]] ?? text), 60)}” from scene ${index + 1}.` };
  }
  return null;
}

/** Returns the new highlight index after removing the entry at `at`. */
function highlightWithout(at: number, { highlight: index }: Props): Props {
  if (typeof index !== 'number') return {};
  if (index === at) return { highlight: null };
  return { highlight: index > at ? index - 1 : index };
}

const sort: Change = ({ film }, clause) => {
  if (!/\b(?:sort|sorted|order|sortiere?|sortiert|trie|trier|trié|ordena|ordenado)\b/iu.test(clause)) return null;
  const isUp = /\b(?:ascending|low to high|smallest first|aufsteigend|croissant|ascendente)\b/iu.test(clause);
  for (const { scene, index } of scenesFor(film, clause)) {
    const list = lists[scene.format];
    const entries = entriesOf(scene.format, scene.props);
    if (list === undefined || entries.length < 2 || scene.format === 'chat' || scene.format === 'steps') continue;
    const isNumeric = entries.every((entry) => typeof entry['value'] === 'number');
    const sorted = entries.toSorted((one, other) =>
      isNumeric
        ? (Number(other['value']) - Number(one['value'])) * (isUp ? -1 : 1)
        : String(one[list[1]]).localeCompare(String(other[list[1]]), film.language),
    );
    const props = scene.props as Props;
    const marked = typeof props['highlight'] === 'number' ? sorted.indexOf(entries[props['highlight']] as Props) : undefined;
    const changed = withEntries(film, index, sorted, {
      ...(marked === undefined ? {} : { highlight: marked }),
      ...('sorted' in props ? { sorted: true } : {}),
    });
    if (changed !== null)
      return {
        film: changed,
        note: `Scene ${index + 1} is now sorted ${isNumeric ? `by size, ${isUp ? 'smallest' : 'largest'} first` : 'alphabetically'}.`,
      };
  }
  return { film: null, note: 'No scene in this film can be sorted.' };
};

const highlight: Change = ({ film }, clause) => {
  const found =
    /\b(?:highlight|emphasi[sz]e|mark|stress|hebe|betone|markiere|mets en avant|souligne|destaca|resalta)\s+(?:the\s+|den\s+|die\s+|das\s+|le\s+|la\s+|el\s+)?(.+?)(?:\s+(?:hervor|bar|row|item))?$/iu.exec(
      clause,
    );
  const phrase = bare(found?.[1] ?? '');
  if (fold(phrase) === '') return null;
  for (const { scene, index } of scenesFor(film, clause)) {
    const changed = highlightEntry(film, scene, index, phrase);
    if (changed !== null) return { film: changed, note: `Scene ${index + 1} now highlights “${phrase}”.` };
    const stressed = stressPhrase(film, scene, index, phrase);
    if (stressed !== null) return { film: stressed, note: `Scene ${index + 1} now emphasises “${phrase}”.` };
  }
  return { film: null, note: `No scene has “${clip(phrase, 60)}” to highlight.` };
};

/** Highlights the entry that contains the phrase. Returns `null` if the scene has no such entry or cannot highlight one. */
function highlightEntry(film: Film, scene: FormatScene, index: number, phrase: string): Film | null {
  const props = scene.props as Props;
  const list = lists[scene.format];
  if (!('highlight' in props) || list === undefined) return null;
  const at = entriesOf(scene.format, props).findIndex((entry) =>
    ` ${fold(`${entry['date'] ?? ''} ${entry[list[1]] ?? ''}`)} `.includes(` ${fold(phrase)} `),
  );
  return at < 0 ? null : withProps(film, index, { ...props, highlight: at });
}

/** Emphasises a phrase in the text of a scene. Returns `null` if the scene has no such phrase or no emphasis. */
function stressPhrase(film: Film, scene: FormatScene, index: number, phrase: string): Film | null {
  const props = scene.props as Props;
  const text = props['text'];
  if (typeof text !== 'string' || !Array.isArray(props['emphasis'])) return null;
  const at = text.toLowerCase().indexOf(phrase.toLowerCase());
  return at < 0 ? null : withProps(film, index, { ...props, emphasis: [text.slice(at, at + phrase.length)] });
}

const targets: readonly (readonly [string, RegExp])[] = [
  ['checklist', /\b(?:check ?list|to-?do list|checkliste|liste à cocher|lista de (?:control|tareas))\b/iu],
  ['race', /\b(?:(?:bar chart |ranking )?race|racing bars|balkenrennen|course de barres|carrera de barras)\b/iu],
  ['bar-chart', /\b(?:bars?|bar chart|balken(?:diagramm)?|barres|histogramme|barras)\b/iu],
  ['line-chart', /\b(?:line chart|line graph|liniendiagramm|kurve|courbe|gráfico de líneas)\b/iu],
  ['table', /\b(?:table|tabelle|tableau|tabla|tabella|tabela|tabel)\b/iu],
  ['steps', /\b(?:steps|schritte|étapes|pasos)\b/iu],
  ['timeline', /\b(?:timeline|zeitstrahl|frise|línea de tiempo)\b/iu],
  ['features', /\bfeatures\b/iu],
  ['number', /\b(?:numbers|key figures|zahlen|chiffres|cifras)\b/iu],
  ['list', /\b(?:list|liste|lista)\b/iu],
  ['title', /\b(?:titles?|titel|titre|título)\b/iu],
];

/** Handles “as a list”: moves texts and values to another format. */
const switchFormat: Change = ({ film }, clause) => {
  const found = /\b(?:as|into|als|comme|en forme de|como|en)\s+(?:an?|the|eine?n?|une?|una?|des)?\s*(.+)$/iu.exec(clause);
  const format = found === null ? undefined : targets.find(([, pattern]) => pattern.test(found[1] ?? ''))?.[0];
  if (format === undefined) return null;
  for (const { scene, index } of scenesFor(film, clause)) {
    if (scene.format === format) continue;
    if (entriesOf(scene.format, scene.props).length === 0) continue;
    const target = formatOf(format);
    const next = target === null ? null : convertScene(scene, target, film.language).props;
    const changed = next === null ? null : withProps(film, index, next, format);
    const name = target?.title ?? format;
    if (changed !== null) return { film: changed, note: `Scene ${index + 1} is now shown as “${name}”.` };
    return { film: null, note: `Scene ${index + 1} lacks what “${name}” needs, so I left the scene unchanged.` };
  }
  return { film: null, note: 'No scene in this film can be shown that way.' };
};

export const itemChanges: readonly Change[] = [switchFormat, setField, replace, sort, highlight, remove, add];
