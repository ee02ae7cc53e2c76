import type { FormatScene } from '#kinds/film/contract/film.ts';
import type { Conversion } from '#kinds/film/contract/format-list.ts';
import { placeNamed } from '../author/places.ts';
import { clipped } from '../author/read/fill.ts';
import { fold } from '../author/read/reading.ts';
import { findAmounts } from '../author/read/values.ts';
import { formatOf, formats } from '../formats/catalogue.ts';
import type { Format } from '../formats/define-format.ts';

type Props = Readonly<Record<string, unknown>>;

interface Entry {
  readonly text: string;
  readonly detail: string | null;
  /** Original text: “€ 4.50”. */
  readonly value: string | null;
  readonly number: number | null;
  readonly icon: string | null;
  readonly date: string | null;
  readonly who: string | null;
  readonly side: 'left' | 'right' | null;
  readonly done: boolean;
}

/** A scene's content, independent of its format. */
interface Content {
  readonly heading: string | null;
  /** The scene's main sentence or name. */
  readonly statement: string | null;
  readonly note: string | null;
  readonly kicker: string | null;
  readonly author: string | null;
  readonly role: string | null;
  readonly url: string | null;
  readonly handle: string | null;
  readonly action: string | null;
  readonly image: string | null;
  readonly entries: readonly Entry[];
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const objects = (value: unknown): Props[] =>
  Array.isArray(value) ? value.filter((one): one is Props => typeof one === 'object' && one !== null) : [];
const list = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap((one) => text(one) ?? []) : []);
/** Returns the texts of a table's row, or of its heads, some of which may be empty. */
const cellsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map((one) => text(one) ?? '') : []);

/** For each format with rows: the field that holds them, and the text field of a row. */
const rowFields: Readonly<Record<string, readonly [rows: string, text: string]>> = {
  features: ['features', 'label'],
  number: ['numbers', 'label'],
  'bar-chart': ['items', 'label'],
  steps: ['steps', 'label'],
  checklist: ['items', 'text'],
  list: ['items', 'text'],
  chat: ['messages', 'text'],
  timeline: ['entries', 'label'],
  flow: ['nodes', 'label'],
  map: ['places', 'name'],
  mockup: ['rows', 'text'],
  notification: ['cards', 'title'],
};

const noEntry: Entry = {
  ...{ text: '', detail: null, value: null, number: null, icon: null, date: null },
  ...{ who: null, side: null, done: true },
};

function entriesOf(format: string, props: Props, language: string): Entry[] {
  const fields = rowFields[format];
  if (fields !== undefined) return objects(props[fields[0]]).map((row) => entryOf(row, fields[1], props, language));
  switch (format) {
    case 'comparison':
      return [props['left'], props['right']]
        .flatMap((side) => objects([side]))
        .flatMap(({ points }) => list(points).map((point) => ({ ...noEntry, text: point })));
    case 'line-chart': {
      const [series, ...others] = objects(props['series']);
      const points = Array.isArray(series?.['points']) ? series['points'] : [];
      if (others.length > 0) return [];
      return list(props['labels']).map((label, index) =>
        entryOf({ label, value: points[index], prefix: props['prefix'], suffix: props['suffix'] }, 'label', props, language),
      );
    }
    // A race is represented by the values of its last period.
    case 'race':
      return objects(props['series']).map(({ name, values }) =>
        entryOf(
          { name, value: Array.isArray(values) ? values.at(-1) : null, prefix: props['prefix'], suffix: props['suffix'] },
          'name',
          props,
          language,
        ),
      );
    case 'table':
      return (Array.isArray(props['rows']) ? props['rows'] : []).map((row) =>
        tableEntry(cellsOf(row), cellsOf(props['columns']), language),
      );
    case 'event':
      return [...list(props['place']), ...list(props['people'])].map((line) => ({ ...noEntry, text: line }));
    case 'terminal':
      return objects(props['blocks']).map(({ input }) => ({ ...noEntry, text: text(input) ?? '' }));
    case 'route':
      return [props['from'], props['via'], props['to']]
        .flatMap((place) => objects(Array.isArray(place) ? place : [place]))
        .map(({ name }) => ({ ...noEntry, text: text(name) ?? '' }));
    default:
      return [];
  }
}

/** Returns a table's row as its first cell with the others: a short last cell without a head is its value, the rest its detail. */
function tableEntry([label = '', ...cells]: readonly string[], [, ...heads]: readonly string[], language: string): Entry {
  const last = cells.at(-1) ?? '';
  const isValue = last !== '' && last.length <= 12 && (cells.length === 1 || (heads.at(-1) ?? '') === '');
  const details = (isValue ? cells.slice(0, -1) : cells).flatMap((cell, at) => {
    const head = heads[at] ?? '';
    if (cell === '') return [];
    return head === '' || cells.length === 1 ? [cell] : [`${head}: ${cell}`];
  });
  return {
    ...noEntry,
    text: label,
    detail: details.length === 0 ? null : details.join(' · '),
    value: isValue ? last : null,
    number: isValue ? (findAmounts(last, language)[0]?.value ?? null) : null,
  };
}

function entryOf(row: Props, field: string, props: Props, language: string): Entry {
  const raw = row['value'];
  const value =
    typeof raw === 'number'
      ? `${row['prefix'] ?? props['prefix'] ?? ''}${new Intl.NumberFormat(language).format(raw)}${row['suffix'] ?? props['suffix'] ?? ''}`
      : (text(raw) ?? text(row['date']));
  return {
    text: text(row[field]) ?? '',
    detail: text(row['detail']) ?? text(row['body']),
    value,
    number: typeof raw === 'number' ? raw : (findAmounts(text(raw) ?? '', language)[0]?.value ?? null),
    icon: text(row['icon']),
    date: text(row['date']) ?? text(row['time']),
    who: text(row['who']),
    side: row['side'] === 'left' || row['side'] === 'right' ? row['side'] : null,
    done: row['done'] !== false,
  };
}

function contentOf({ format, props }: FormatScene, language: string): Content {
  const entries = entriesOf(format, props, language);
  const heading = text(entries.length > 0 && format !== 'event' ? (props['title'] ?? props['product'] ?? props['app']) : null);
  return {
    heading,
    statement:
      (format === 'comparison' || heading !== null ? null : text(props['text'] ?? props['title'])) ??
      text(props['headline'] ?? props['finalWord'] ?? props['caption']) ??
      (format === 'lower-third' ? text(props['name']) : null) ??
      (format === 'loader' ? text(props['label']) : null),
    note: text(
      props['subtitle'] ?? props['tagline'] ?? props['subline'] ?? props['verdict'] ?? props['passage'] ?? props['unit'],
    ),
    kicker: text(props['kicker']),
    author: text(props['author'] ?? props['name'] ?? props['brand'] ?? props['outlet']),
    role: text(props['role']),
    url: text(props['url']),
    handle: text(props['handle']),
    action: text(props['action'] ?? props['button']),
    image: text(props['asset'] ?? props['logo'] ?? props['portrait'] ?? props['screenshot'] ?? props['avatar']),
    entries,
  };
}

const withValue = ({ text: label, value }: Entry): string => {
  if (value === null) return label;
  return label === '' ? value : `${label}: ${value}`;
};
const mainOf = ({ statement, heading }: Content) => statement ?? heading;
const numeric = ({ entries }: Content) => entries.length > 0 && entries.every(({ number }) => number !== null);

/** For each format: returns its fields for the content, or a sentence that says which required content is missing. */
const fillers: Readonly<Record<string, (content: Content, scene: FormatScene) => Props | string>> = {
  title: (content) => {
    const main = mainOf(content);
    if (main === null) return 'It needs some text.';
    const { kicker, note } = content;
    return { text: main, emphasis: [], kicker, subtitle: note ?? content.role, entrance: null, icons: [] };
  },
  'end-card': ({ author, image, statement, heading, action, url, handle }) => ({
    ...{ brand: author, logo: image, headline: statement ?? heading, action, url, handle },
  }),
  'lower-third': ({ author, statement, role, note }) =>
    (author ?? statement) === null ? 'It needs a name.' : { name: author ?? statement, role: role ?? note },
  features: ({ heading, note, entries }) => {
    if (entries.length === 0) return 'It needs rows.';
    if (heading === null) return 'It needs a product name.';
    return { product: heading, tagline: note, features: entries.map((entry) => ({ icon: entry.icon, label: withValue(entry) })) };
  },
  number: (content, { props }) =>
    numeric(content)
      ? {
          title: content.heading,
          numbers: content.entries.map(({ text: label, number }) => ({
            ...{ value: number, from: null, decimals: decimalsOf(number ?? 0) },
            ...{ prefix: text(props['prefix']) ?? '', suffix: text(props['suffix']) ?? '' },
            ...{ label: label === '' ? null : label, trend: null },
          })),
          gauge: 'none',
          of: null,
        }
      : 'It needs a number in each row.',
  'bar-chart': (content, { props }) =>
    numeric(content)
      ? {
          ...chartFields(content, props),
          items: content.entries.map(({ text: label, number }) => ({ label, value: number })),
          ...{ highlight: indexIn(props), horizontal: null, sorted: false },
        }
      : 'It needs a number in each row.',
  'line-chart': (content, { format, props }) => {
    if (format === 'race') {
      const series = objects(props['series']).map(({ name, values }) => ({ name, points: values }));
      const highlight = indexIn(props) ?? 0;
      return { ...chartFields(content, props), labels: props['periods'], series, highlight, annotation: null };
    }
    return numeric(content)
      ? {
          ...chartFields(content, props),
          labels: content.entries.map(({ text: label }) => label),
          series: [{ name: clipped(content.heading, 24) ?? '–', points: content.entries.map(({ number }) => number) }],
          ...{ highlight: 0, annotation: null },
        }
      : 'It needs a number in each row.';
  },
  race: (_, { format, props }) => {
    if (format !== 'line-chart') return 'It needs values of at least two periods.';
    const series = objects(props['series']).map(({ name, points }) => ({ name, values: points }));
    const { title, unit, prefix, suffix, labels, highlight } = props;
    return { title, unit, prefix, suffix, periods: labels, series, highlight };
  },
  steps: ({ heading, entries }) => ({
    title: heading,
    steps: entries.map((entry) => ({ label: withValue(entry), detail: entry.detail, icon: entry.icon })),
  }),
  table: (content, { format, props }) => {
    const cells = tableCells(content, format, props);
    return typeof cells === 'string'
      ? cells
      : { title: content.heading ?? text(props['title']), ...cells, highlight: indexIn(props), note: text(props['source']) };
  },
  checklist: ({ heading, entries }) => ({
    title: heading,
    items: entries.map((entry) => ({ text: withValue(entry), icon: entry.icon, done: entry.done })),
  }),
  list: ({ heading, entries }, { format, props }) => ({
    title: heading,
    items: entries.map(({ text: label, value, detail, icon }) => ({
      ...(label === '' && value !== null ? { text: value, value: null } : { text: label, value }),
      ...{ detail, icon },
    })),
    numbered: format === 'steps',
    highlight: indexIn(props),
  }),
  chat: ({ heading, entries }) => ({
    title: heading,
    messages: entries.map((entry, index) => ({
      ...{ who: entry.who, side: entry.side ?? (index % 2 === 0 ? 'left' : 'right'), text: withValue(entry) },
    })),
  }),
  quote: ({ statement, author, role, image }, { props }) =>
    statement === null
      ? 'It needs a sentence.'
      : { text: statement, emphasis: text(props['emphasis']), author, role, portrait: image, stars: null },
  headline: ({ statement, author, note }, { props }) =>
    statement === null
      ? 'It needs a sentence.'
      : { outlet: author, date: text(props['date']), headline: statement, passage: note, emphasis: text(props['emphasis']) },
  loader: (content) => {
    const label = mainOf(content);
    return label === null ? 'It needs some text.' : { kind: 'ring', label };
  },
  timeline: ({ heading, entries }, { props }) =>
    entries.some(({ date }) => date === null)
      ? 'It needs a date in each row.'
      : {
          title: heading,
          entries: entries.map(({ text: label, date, icon }) => ({ date, label, icon })),
          highlight: indexIn(props),
        },
  flow: ({ heading, entries }) => ({
    ...{ title: heading, direction: null },
    nodes: entries.map((entry, index) => ({
      id: `n${index + 1}`,
      label: withValue(entry),
      detail: entry.detail,
      icon: entry.icon,
    })),
    edges: entries.slice(1).map((_, index) => ({ from: `n${index + 1}`, to: `n${index + 2}`, label: null })),
  }),
  route: ({ heading, note, entries }) => {
    const places = entries.flatMap((entry) => {
      const found = placeNamed(entry.text);
      return found === null ? [] : [{ name: entry.text, lat: found.lat, lon: found.lon }];
    });
    if (places.length < entries.length || places.length < 2) return 'It needs at least two cities or countries.';
    return {
      ...{ title: heading, caption: note, mode: null, icon: null, distance: 'km' },
      ...{ from: places[0], via: places.slice(1, -1), to: places.at(-1) },
    };
  },
  map: ({ heading, entries }) => {
    const places = entries.flatMap((entry) => {
      const found = placeNamed(entry.text);
      return found === null ? [] : [{ name: entry.text, ...found, value: entry.value }];
    });
    return places.length < entries.length || places.length === 0
      ? 'It needs the name of a city or a country in each row.'
      : { title: heading, places };
  },
  ambient: (content) => ({ kind: 'waves', text: mainOf(content), subtitle: content.note ?? content.role }),
  event: ({ statement, heading, kicker, action, url }) =>
    (statement ?? heading) === null
      ? 'It needs a title.'
      : {
          ...{ kicker, title: statement ?? heading, day: null, weekday: null, month: null, time: null },
          ...{ place: [], people: [], action: action ?? url },
        },
  mockup: ({ statement, heading, note, entries, url, image, action }) =>
    (statement ?? heading) === null
      ? 'It needs a headline.'
      : {
          ...{ frame: 'browser', url, screenshot: image, headline: statement ?? heading, subline: note, button: action },
          rows: entries.map((entry) => ({ icon: entry.icon, text: withValue(entry) })),
        },
  logo: ({ author, statement, heading, note, image }) =>
    (author ?? statement ?? heading) === null
      ? 'It needs a name.'
      : { text: author ?? statement ?? heading, asset: image, tagline: note, material: null },
  notification: ({ heading, author, statement, note, entries }) => {
    const cards = entries.map((entry) => ({ title: entry.text || entry.value, body: entry.detail, time: entry.date }));
    const app = heading ?? author;
    if (app === null) return 'It needs an app name.';
    return { app, icon: null, cards: cards.length > 0 ? cards : [{ title: statement, body: note, time: null }], badge: null };
  },
  'social-post': ({ author, handle, image, statement, entries }) =>
    author === null || statement === null || entries.length > 0
      ? 'It needs an author and some text.'
      : {
          ...{ name: author, handle, avatar: image, icon: null, text: statement, emphasis: null },
          ...{ likes: null, reposts: null, replies: null },
        },
};

/** Returns the heads and rows of a table for a scene, without columns that would be empty. */
function tableCells(
  { entries }: Content,
  format: string,
  props: Props,
): { readonly columns: string[]; readonly rows: string[][] } | string {
  const series = objects(props['series']);
  const shown = (value: unknown) => (typeof value === 'number' ? `${props['prefix'] ?? ''}${value}${props['suffix'] ?? ''}` : '');
  if (format === 'line-chart' || format === 'race') {
    const names = series.map(({ name }) => text(name) ?? '');
    const periods = cellsOf(props['labels'] ?? props['periods']);
    const values = series.map((one) => one['points'] ?? one['values']).map((own) => (Array.isArray(own) ? own.map(shown) : []));
    return names.length > periods.length
      ? { columns: ['', ...periods], rows: names.map((name, at) => [name, ...(values[at] ?? [])]) }
      : { columns: ['', ...names], rows: periods.map((period, at) => [period, ...values.map((own) => own[at] ?? '')]) };
  }
  if (format === 'comparison') {
    const sides = objects([props['left'], props['right']]);
    const points = sides.map((side) => list(side['points']));
    const count = Math.max(0, ...points.map(({ length }) => length));
    return {
      columns: sides.map(({ label }) => text(label) ?? ''),
      rows: Array.from({ length: count }, (_, at) => points.map((own) => own[at] ?? '')),
    };
  }
  const parts = entries.map(({ text: label, detail, value, date }) =>
    date !== null && date === value ? [date, label, detail ?? ''] : [label, detail ?? '', value ?? ''],
  );
  const filled = [0, 1, 2].filter((at) => parts.some((part) => (part[at] ?? '') !== ''));
  if (filled.length < 2) return 'It needs at least two texts in each row.';
  const unit = text(props['unit']) ?? '';
  return {
    columns: filled.map((_, at) => (at === filled.length - 1 ? unit : '')),
    rows: parts.map((part) => filled.map((at) => part[at] ?? '')),
  };
}

const decimalsOf = (value: number) => Math.min(4, (String(value).split('.')[1] ?? '').length);
const indexIn = (props: Props) => (typeof props['highlight'] === 'number' ? props['highlight'] : null);
const chartFields = ({ heading }: Content, props: Props): Props => ({
  ...{ title: heading, unit: text(props['unit']), source: text(props['source']) },
  ...{ prefix: text(props['prefix']) ?? '', suffix: text(props['suffix']) ?? '' },
});

/** Converts a scene to another format. Returns the reason if that format cannot show its content. */
export function convertScene(scene: FormatScene, format: Format, language: string): Conversion {
  if (format.id === scene.format) return { format: format.id, props: scene.props, lost: [] };
  const filled =
    fillers[format.id]?.(contentOf(scene, language), scene) ??
    'It shows other kinds of content. To use it, start from its example.';
  if (typeof filled === 'string') return { format: format.id, props: null, reason: filled };
  const parsed = format.props.safeParse(filled);
  if (!parsed.success) return { format: format.id, props: null, reason: reasonOf(parsed.error.issues[0], filled) };
  const props = parsed.data as FormatScene['props'];
  return { format: format.id, props, lost: lostTexts(scene.props, props) };
}

/** Returns the texts of some fields that others lack. */
export function lostTexts(before: unknown, after: unknown): string[] {
  const shown = fold(textsIn(after).join(' '));
  return textsIn(before).filter((one) => !shown.includes(fold(one)));
}

/** Returns the scene in every format, best fit first. */
export function conversionsOf(scene: FormatScene, language: string): Conversion[] {
  const purposes: readonly string[] = formatOf(scene.format)?.purposes ?? [];
  const rank = (conversion: Conversion): number => {
    if (conversion.format === scene.format) return Number.NEGATIVE_INFINITY;
    if (conversion.props === null) return Number.POSITIVE_INFINITY;
    const shared = formatOf(conversion.format)?.purposes.filter((purpose) => purposes.includes(purpose)).length ?? 0;
    return conversion.lost.length * 10 - shared;
  };
  const ranked = formats.map((format) => convertScene(scene, format as Format, language)).map((one) => [one, rank(one)] as const);
  return ranked.toSorted(([, one], [, other]) => (one === other ? 0 : one - other)).map(([conversion]) => conversion);
}

/** Fields whose strings are names of choices in every format, which no film shows. */
export const choiceFields: ReadonlySet<string> = new Set([
  'icon',
  'side',
  'entrance',
  'frame',
  'gauge',
  'layout',
  'language',
  'shape',
  'act',
]);
/** Fields that control how a scene looks and contain no visible text. */
const technical = new Set([
  ...choiceFields,
  ...['icons', 'kind', 'place', 'motion', 'material', 'color'],
  ...[
    'emphasis',
    'start',
    'winner',
    'unit',
    'prompt',
    'highlight',
    'from',
    'decimals',
    'count',
    'times',
    'actor',
    'target',
    'of',
    'index',
    'id',
    'direction',
    'mode',
    'distance',
    'lat',
    'lon',
    'code',
  ],
]);

function textsIn(value: unknown, key = ''): string[] {
  // `place` is visible text in an event (a list of lines) but a setting name in a story; `from` is a place name in a route but a
  // number in a counter.
  const isShown = (key === 'place' && Array.isArray(value)) || (key === 'from' && typeof value === 'string');
  if (technical.has(key) && !isShown) return [];
  // `from` and `to` of an edge are ids, so only its label is visible.
  if (key === 'edges') return objects(value).flatMap(({ label }) => list([label]));
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((inner) => textsIn(inner));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, name));
}

function reasonOf(
  issue: { code: string; path: readonly PropertyKey[]; message: string; maximum?: unknown; minimum?: unknown } | undefined,
  props: Props,
): string {
  if (issue === undefined) return 'The scene does not fit.';
  const value = issue.path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : null),
    props,
  );
  if (Array.isArray(value)) {
    const name = String(issue.path.at(-1));
    if (issue.code === 'too_big') return `It holds at most ${String(issue.maximum)} ${name}, and the scene has ${value.length}.`;
    if (issue.code === 'too_small')
      return `It needs at least ${String(issue.minimum)} ${name}, and the scene has ${value.length}.`;
  }
  if (typeof value === 'string' && issue.code === 'too_big')
    return `“${clipped(value, 40)}” is too long: at most ${String(issue.maximum)} characters fit.`;
  return issue.code === 'custom'
    ? `${issue.message[0]?.toUpperCase()}${issue.message.slice(1)}.`
    : 'It needs text that the scene does not have.';
}
