import {
  documentSchema,
  type FieldType,
  fieldSchema,
  listSchema,
  pageSchema,
  type ThemeId,
  type ViewType,
  viewSchema,
} from '../../../../sandbox-image/templates/app/model/document.ts';
import { editSchema } from '../../../../sandbox-image/templates/app/model/edits.ts';
import { iconNames } from '../../../../sandbox-image/templates/app/model/icon-names.ts';
import { roleTypes } from '../../../../sandbox-image/templates/app/model/problems.ts';
import { membersOf, nameOf, optionsOf, type Schema, schemaOf } from './schema.ts';

/** Describes for a language model what an app can consist of, from the schemas that check it. */

/**
 * Views that a model may place, and what each is for. A view in code is not among them: once models write components, `code` joins
 * them, and the author writes `src/code/<entry>.tsx` beside the pages.
 */
const viewUses: Readonly<Record<Exclude<ViewType, 'code'>, string>> = {
  table: 'rows to edit, with groups and totals',
  board: 'cards in columns by a state; records are dragged',
  calendar: 'records by date',
  cards: 'pictures or short texts as tiles',
  detail: 'a list with the chosen record beside it',
  sheet: 'one record at a time',
  form: 'visitors add a record; on a page with public:true',
  dashboard: 'figures and charts',
};

export const isPlaceable = (view: string): view is keyof typeof viewUses => Object.hasOwn(viewUses, view);

const themeLooks: Readonly<Record<ThemeId, string>> = {
  studio: 'neutral blue',
  paper: 'warm, red',
  forest: 'green',
  blush: 'rose',
  candy: 'pink, violet',
  midnight: 'dark blue',
};

const fieldUses: Partial<Readonly<Record<FieldType, string>>> = {
  money: 'min and max in cents; currency such as GBP',
  choice: 'one of them; also a state',
  relation: 'to a record of another list',
  computed: 'never the first field',
};

/** Members that most options of a union have in the same form. */
function sharedMembers(options: readonly Schema[]): string[] {
  const counts = new Map<string, number>();
  for (const member of options.flatMap((option) => membersOf(option))) counts.set(member, (counts.get(member) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > options.length / 2).map(([member]) => member);
}

function linesOf(union: Schema, key: string, uses: Readonly<Partial<Record<string, string>>>): string[] {
  const options = optionsOf(union);
  const shared = sharedMembers(options);
  const lines = options.map((option) => {
    const members = membersOf(option, [key]);
    const own = members.filter((member) => !shared.includes(member));
    const hasShared = shared.every((member) => members.includes(member));
    const use = uses[nameOf(option, key)];
    const shown = hasShared ? own : members;
    const listed = hasShared ? shown.join(', ') : `only ${shown.join(', ')}`;
    return `${nameOf(option, key)}${use === undefined ? '' : ` (${use})`}${shown.length === 0 ? '' : `: ${listed}`}`;
  });
  return [`all: ${shared.join(', ')}`, ...lines];
}

const roles = Object.entries(roleTypes).map(([role, types]) => `${role} ${types.join('|')}`);

/** Koda sets these itself. */
const ownMembers = ['was', 'atIso', 'version', 'removed'];

export const appCatalogue: string = [
  `App: {${membersOf(schemaOf(documentSchema), [...ownMembers, 'lists', 'pages']).join(', ')}, lists:[list], pages:[page]}`,
  `list: {${membersOf(schemaOf(listSchema), [...ownMembers, 'fields']).join(', ')}, fields:[field]}; one is the singular; the first field is the title`,
  `page: {${membersOf(schemaOf(pageSchema), ['views']).join(', ')}, views:[view]}`,
  'Fields, by type:',
  ...linesOf(schemaOf(fieldSchema), 'type', fieldUses),
  'Views, by view:',
  ...linesOf(
    { oneOf: optionsOf(schemaOf(viewSchema)).filter((option) => isPlaceable(nameOf(option, 'view'))) },
    'view',
    viewUses,
  ),
  `Types that can play a part: ${roles.join('; ')}.`,
  `Themes: ${Object.entries(themeLooks)
    .map(([theme, look]) => `${theme} (${look})`)
    .join(', ')}.`,
  `Icons: ${iconNames.join(' ')}`,
].join('\n');

/** Members of edits that are a part of the app, described above. */
const parts = ['field', 'list', 'page', 'view'];

export const editCatalogue: string = optionsOf(schemaOf(editSchema))
  .map((option) => {
    const { properties = {} } = option;
    const whole = parts.filter((part) => (properties[part]?.properties ?? properties[part]?.oneOf) !== undefined);
    const members = membersOf(option, ['type', ...ownMembers, ...whole]);
    return `${nameOf(option, 'type')}: ${[...members, ...whole.map((part) => `${part}:{…}`)].join(', ')}`;
  })
  .join('\n');
