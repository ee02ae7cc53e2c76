import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorEnvelopeSchema } from '#contract/errors.ts';
import { assetSchema } from '#contract/project.ts';
import { type HttpFixture, httpFixture } from '../../../test/fixtures/http.ts';
import { newProject } from '../../../test/fixtures/storage.ts';

const bytes = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  Buffer.from(Array.from({ length: 996 }, (_, at) => at % 251)),
]);

let http: HttpFixture;
let path: string;

beforeEach(async () => {
  http = httpFixture();
  const { id } = await http.stores.projects.create(newProject());
  const uploads = `/api/projects/${id}/assets`;
  const made = await http.call(uploads, { method: 'POST', headers: { 'x-filename': 'a.png' }, body: bytes });
  path = `${uploads}/${assetSchema.parse(await made.json()).id}`;
});
afterEach(() => http[Symbol.dispose]());

const get = (headers: Record<string, string> = {}, method = 'GET') => http.call(path, { method, headers });
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('download of an upload', () => {
  it('A25: sends the whole file with its ETag and announces range support', async () => {
    const whole = await get();
    expect([whole.status, whole.headers.get('content-length'), whole.headers.get('accept-ranges')]).toEqual([
      200,
      '1000',
      'bytes',
    ]);
    expect((await bodyOf(whole)).equals(bytes)).toBe(true);
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), (await bodyOf(head)).length]).toEqual([200, '1000', 0]);
    const etag = whole.headers.get('etag') ?? '';
    const known = await get({ 'if-none-match': etag });
    expect([known.status, (await bodyOf(known)).length]).toEqual([304, 0]);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=400-599', 400, 600],
    ['bytes=990-', 990, 1000],
    ['bytes=-5', 995, 1000],
  ])('A25: %s is just that part, so that a sound can be played from anywhere', async (range, start, end) => {
    const part = await get({ range });
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
      206,
      `bytes ${start}-${end - 1}/1000`,
      String(end - start),
    ]);
    expect((await bodyOf(part)).equals(bytes.subarray(start, end))).toBe(true);
    expect(part.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(part.headers.get('content-type')).toBe('image/png');
  });

  it('A25: reports the size for a range outside the file, and sends the whole file for an outdated If-Range', async () => {
    const outside = await get({ range: 'bytes=1000-' });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    expect(errorEnvelopeSchema.parse(await outside.json()).error.details).toMatchObject({ sizeBytes: 1000 });
    const etag = (await get()).headers.get('etag') ?? '';
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await get({ range: 'bytes=0-9', 'if-range': '"another"' })).status).toBe(200);
  });
});
