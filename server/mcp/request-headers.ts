import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';

export const versionHeader = 'mcp-protocol-version';
const methodHeader = 'mcp-method';
const nameHeader = 'mcp-name';

/** Parameter that the header Mcp-Name repeats, by method. */
const namedBy: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Key under which a request without a session carries its revision. */
export const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Returns the revision that a request carries because it has no session, or `null`. */
export function statelessVersionOf({ params }: Pick<JSONRPCRequest, 'params'>): string | null {
  const version: unknown = params?._meta?.[versionKey];
  return typeof version === 'string' ? version : null;
}

/** Returns the headers that repeat parts of a stateless request for whatever is between client and server. */
export function headersOf(body: JSONRPCRequest, version: string): Record<string, string> {
  const name = nameIn(body);
  return { [versionHeader]: version, [methodHeader]: body.method, ...(name !== null && { [nameHeader]: encoded(name) }) };
}

/** Returns which header is missing or contradicts the body, or `null`. */
export function headerProblem(headers: Headers, body: JSONRPCRequest, version: string): string | null {
  const name = nameIn(body);
  const expected: readonly (readonly [string, string | null])[] = [
    [versionHeader, version],
    [methodHeader, body.method],
    [nameHeader, name],
  ];
  for (const [header, value] of expected) {
    if (value === null) continue;
    const given = headers.get(header);
    if (given === null) return `the header ${header} is missing.`;
    const decodedValue = header === nameHeader ? decoded(given) : given;
    if (decodedValue !== value) return `the header ${header} does not match the body.`;
  }
  return null;
}

function nameIn({ method, params }: JSONRPCRequest): string | null {
  const field = namedBy[method];
  const value: unknown = field === undefined ? null : params?.[field];
  return typeof value === 'string' ? value : null;
}

const base64Form = /^=\?base64\?(.*)\?=$/s;

function encoded(value: string): string {
  const isPlain = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !base64Form.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

function decoded(value: string): string {
  const base64 = base64Form.exec(value)?.[1];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}
