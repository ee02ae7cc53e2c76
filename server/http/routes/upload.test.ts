import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { projectSchema } from '#contract/project.ts';
import { type HttpFixture, httpFixture } from '../../../test/fixtures/http.ts';

let http: HttpFixture;
let path: string;

beforeEach(async () => {
  http = httpFixture();
  const made = await http.send('POST', '/api/projects', { prompt: 'a red ball', start: false });
  path = `/api/projects/${projectSchema.parse(await made.json()).id}/assets`;
});
afterEach(() => http[Symbol.dispose]());

const part = '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n';
const png = '\x89PNG';
const upload = (body: string, contentType = 'multipart/form-data; boundary=xx') =>
  http.call(path, { method: 'POST', body: Buffer.from(body, 'latin1'), headers: { 'content-type': contentType } });

describe('multipart upload', () => {
  it('A25: accepts a form with a file', async () => {
    expect((await upload(`${part}\r\n${png}\r\n--xx--\r\n`)).status).toBe(201);
  });

  it.each([
    ['is cut off in its file', `${part}\r\n${png}abc`, undefined],
    ['is cut off in the head of its file', part, undefined],
    ['is none', 'garbage', undefined],
    ['is empty', '', undefined],
    ['does not say where its parts end', `${part}\r\n${png}\r\n--xx--\r\n`, 'multipart/form-data'],
    ['says it wrongly', `${part}\r\n${png}\r\n--xx--\r\n`, 'multipart/form-data; boundary=yy'],
    ['has a head of its file without end', `--xx\r\nX: ${'y'.repeat(200_000)}\r\n\r\n${png}\r\n--xx--\r\n`, undefined],
  ])('A25 G9: that %s is refused in words', async (_what, body, contentType) => {
    const response = await upload(body, contentType);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'BAD_REQUEST', recovery: { action: 'send_one_file' } } });
    expect(await (await http.call(path)).json()).toEqual({ items: [] });
  });

  it('A25: reports why a file was rejected', async () => {
    const response = await upload(`${part}\r\nno picture\r\n--xx--\r\n`);
    expect(await response.json()).toMatchObject({ error: { code: 'UNSUPPORTED_TYPE' } });
  });
});

describe('many uploads at once', () => {
  it('H8: receives 8 at a time; others wait, and are told when to come back', async () => {
    const senders: ReadableStreamDefaultController<Uint8Array>[] = [];
    const slowUpload = () => {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void senders.push(controller) });
      return http.call(path, { method: 'POST', body, headers: { 'x-filename': 'a.png' }, duplex: 'half' } as RequestInit);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const running = Array.from({ length: 8 }, slowUpload);
      const waiting = slowUpload();
      await vi.advanceTimersByTimeAsync(11_000);
      const refused = await waiting;
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
      const late = slowUpload();
      await vi.advanceTimersByTimeAsync(100);
      for (const sender of senders) {
        sender.enqueue(Buffer.from(png, 'latin1'));
        sender.close();
      }
      const statuses = (await Promise.all([...running, late])).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 9 }, () => 201));
    } finally {
      vi.useRealTimers();
    }
  });
});
