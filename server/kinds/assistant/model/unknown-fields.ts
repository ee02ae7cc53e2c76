import { membersOf, readSchema } from './schema-text.ts';

/** Returns one sentence for each field that a JSON Schema does not have, because a reader that drops it hides the mistake. */
export function unknownFields(given: unknown, value: unknown, path: string): string[] {
  const schema = readSchema(given);
  if (schema === null) return [];
  if (Array.isArray(value)) {
    const { items, prefixItems = [] } = schema;
    return value.flatMap((one, index) => unknownFields(prefixItems[index] ?? items, one, `${path}.${index}`));
  }
  if (!isObject(value)) return [];
  const members = membersOf(schema);
  if (members !== null) return unknownFields(memberFor(members, value), value, path);
  const { properties, additionalProperties } = schema;
  if (properties === undefined)
    return Object.entries(value).flatMap(([name, one]) => unknownFields(additionalProperties, one, `${path}.${name}`));
  const names = Object.keys(properties).join(', ');
  return Object.entries(value).flatMap(([name, one]) => {
    if (Object.hasOwn(properties, name)) return unknownFields(properties[name], one, `${path}.${name}`);
    const has = names === '' ? 'It has no fields.' : `It has: ${names}.`;
    return additionalProperties ? [] : [`${path}: unknown field “${name.slice(0, maxNameCharacters)}”. ${has}`];
  });
}

const maxNameCharacters = 40;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the member whose constants are those of the value, or else one with the fields of all. */
function memberFor(members: readonly unknown[], value: Readonly<Record<string, unknown>>): unknown {
  const objects = members.flatMap((member) => readSchema(member) ?? []).filter(({ properties }) => properties !== undefined);
  const named = objects.find(({ properties = {} }) => {
    const constants = Object.entries(properties).flatMap(([name, one]) => {
      const fixed = readSchema(one)?.const;
      return fixed === undefined ? [] : [value[name] === fixed];
    });
    return constants.length > 0 && constants.every(Boolean);
  });
  if (objects.length === 0) return members.find((member) => readSchema(member)?.type === 'object');
  return named ?? { properties: Object.assign({}, ...objects.map(({ properties }) => properties)) };
}
