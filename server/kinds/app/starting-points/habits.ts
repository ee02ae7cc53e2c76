import type { Values } from '../../../../sandbox-image/templates/app/model/record.ts';
import type { StartingPoint } from './starting-point.ts';

/** Days before today on which each habit was done, with a note for some. */
const ticks: Readonly<Record<string, readonly (readonly [day: number, note?: string])[]>> = {
  walk: [[0], [-1], [-2, 'In the rain'], [-3], [-5], [-6], [-8], [-9]],
  read: [[0], [-1], [-3, 'Finished the ferry book'], [-4], [-6], [-7]],
  guitar: [[-1, 'The second part at last'], [-2], [-5], [-8]],
  water: [[0], [-1], [-2], [-3], [-4], [-6], [-7], [-9]],
  early: [[-2], [-3], [-4, 'Before eleven'], [-9]],
};

const names: Readonly<Record<string, string>> = {
  walk: 'Walk',
  read: 'Read',
  guitar: 'Guitar',
  water: 'Water',
  early: 'Early to bed',
};

const tickRecords = Object.fromEntries(
  Object.entries(ticks).flatMap(([habit, days]) =>
    days.map(([date, note], index): [string, Values] => [
      `${habit}-${index}`,
      { title: names[habit] ?? habit, habit, date, done: true, ...(note !== undefined && { note }) },
    ]),
  ),
);

export const habits: StartingPoint = {
  id: 'habits',
  name: 'Habit log',
  text: 'Tick what you did today, and see how often you keep to it.',
  group: 'track',
  words: {
    telling: ['habit', 'routine', 'streak', 'meditation', 'resolution'],
    likely: ['daily', 'mood', 'sleep', 'diary', 'journal', 'tick'],
    faint: ['goal', 'water', 'day'],
  },
  document: {
    version: 1,
    name: 'Habit log',
    theme: 'candy',
    mode: 'system',
    icon: 'circle-check',
    lists: [
      {
        id: 'ticks',
        name: 'Ticks',
        one: 'tick',
        fields: [
          { id: 'title', name: 'Title', type: 'text', needed: true },
          { id: 'habit', name: 'Habit', type: 'relation', list: 'habits' },
          { id: 'date', name: 'Date', type: 'date', needed: true },
          { id: 'done', name: 'Done', type: 'yesno' },
          { id: 'note', name: 'Note', type: 'text' },
        ],
      },
      {
        id: 'habits',
        name: 'Habits',
        one: 'habit',
        fields: [
          { id: 'name', name: 'Name', type: 'text', needed: true, unique: true },
          { id: 'goal', name: 'Days a week', type: 'number', min: 1, max: 7, decimals: 0 },
          {
            id: 'days',
            name: 'Days',
            type: 'choices',
            choices: [
              { id: 'mon', name: 'Mon', hue: 'blue' },
              { id: 'tue', name: 'Tue', hue: 'blue' },
              { id: 'wed', name: 'Wed', hue: 'blue' },
              { id: 'thu', name: 'Thu', hue: 'blue' },
              { id: 'fri', name: 'Fri', hue: 'blue' },
              { id: 'sat', name: 'Sat', hue: 'pink' },
              { id: 'sun', name: 'Sun', hue: 'pink' },
            ],
          },
          { id: 'why', name: 'Why', type: 'longtext' },
        ],
      },
    ],
    pages: [
      {
        id: 'calendar',
        name: 'Calendar',
        icon: 'calendar-check',
        views: [
          {
            view: 'calendar',
            id: 'month',
            list: 'ticks',
            title: 'title',
            text: 'note',
            start: 'date',
            colour: 'habit',
            mode: 'month',
          },
        ],
      },
      {
        id: 'ticks',
        name: 'Ticks',
        icon: 'list-checks',
        views: [
          {
            view: 'table',
            id: 'all',
            list: 'ticks',
            fields: ['title', 'date', 'done', 'note'],
            sort: [{ field: 'date', descending: true }],
            edit: 'cell',
          },
        ],
      },
      {
        id: 'habits',
        name: 'Habits',
        icon: 'heart',
        views: [{ view: 'detail', id: 'all', list: 'habits', title: 'name', aside: 'goal', related: ['ticks.habit'] }],
      },
      {
        id: 'overview',
        name: 'Overview',
        icon: 'layout-dashboard',
        views: [
          {
            view: 'dashboard',
            id: 'figures',
            list: 'ticks',
            period: 'date',
            figures: [
              { label: 'Done', measure: 'count', filter: [{ field: 'done', is: 'is', value: true }], bad: 'down' },
              { label: 'Habits', measure: 'count', list: 'habits' },
            ],
            charts: [
              { title: 'Done by day', kind: 'line', x: 'date', by: 'day', measure: 'count' },
              { title: 'Done by habit', kind: 'bars', x: 'habit', measure: 'count' },
            ],
          },
        ],
      },
    ],
  },
  records: {
    habits: {
      walk: { name: 'Walk half an hour', goal: 6, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], why: 'I sleep better.' },
      read: { name: 'Read twenty pages', goal: 5, days: ['mon', 'tue', 'wed', 'thu', 'sun'] },
      guitar: { name: 'Practise the guitar', goal: 3, days: ['tue', 'thu', 'sat'], why: 'To play at the summer party.' },
      water: { name: 'Drink enough water', goal: 7, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
      early: { name: 'In bed by eleven', goal: 4, days: ['sun', 'mon', 'tue', 'wed'] },
    },
    ticks: tickRecords,
  },
};
