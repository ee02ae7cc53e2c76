import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import type { ToolContext } from './context.ts';
import { createAudioTool, generateImage } from './generate.ts';

const png = Buffer.from('a picture');

function contextWith(sandbox: Parameters<typeof toolContextOver>[0]) {
  const added: { name: string; content: Buffer }[] = [];
  const addAsset = async ({ name, content }: Parameters<ToolContext['addAsset']>[0]) => {
    const bytes = await buffer(content);
    added.push({ name, content: bytes });
    return {
      ...{ id: 'ast_1', name, mime: 'x/y', kind: 'image' as const, sizeBytes: bytes.byteLength, width: 640, height: 360 },
      ...{ moves: false, path: `public/assets/${name}`, url: '/x', at: '2026-01-01T00:00:00.000Z' },
    };
  };
  return { added, context: toolContextOver(sandbox, { addAsset: addAsset as unknown as ToolContext['addAsset'] }) };
}

describe('generate_image', () => {
  it('T9: stores a frame as an upload', async () => {
    const requested: unknown[] = [];
    const { added, context } = contextWith({
      async screenshot(request) {
        requested.push(request);
        return png;
      },
    });
    const made = await generateImage.call({ name: 'cover', seek_to: 1.5, width: 640, height: 360 }, context);
    const output = { path: 'public/assets/cover.png', src: '/assets/cover.png', size_bytes: 9, width: 640, height: 360 };
    expect(made).toMatchObject({ status: 'completed', output });
    expect(requested).toEqual([{ seekToSeconds: 1.5, width: 640, height: 360, format: 'png' }]);
    expect(added).toEqual([{ name: 'cover.png', content: png }]);
  });

  it('T9: has an SVG drawn as large as the frame', async () => {
    const requested: unknown[] = [];
    const { added, context } = contextWith({
      async drawSvg(request) {
        requested.push(request);
        return png;
      },
    });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>';
    expect(await generateImage.call({ name: 'logo', svg, width: 300, height: 900 }, context)).toMatchObject({
      status: 'completed',
    });
    expect(requested).toEqual([{ svg, maxSide: 900 }]);
    expect(added).toHaveLength(1);
  });

  it.each([
    ['a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['an event handler', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['an image elsewhere', '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://169.254.169.254/"/></svg>'],
    ['entities', '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>'],
    ['no SVG', 'hello'],
  ])('T9: refuses %s before a sandbox sees it', async (_what, svg) => {
    const { added, context } = contextWith({});
    expect(await generateImage.call({ name: 'x', svg }, context)).toMatchObject({ status: 'error', code: 'UNSUPPORTED_TYPE' });
    expect(added).toEqual([]);
  });

  it.each([
    ['neither a frame nor an SVG', {}],
    ['both', { seek_to: 1, svg: '<svg/>' }],
    ['100,000 pixels', { seek_to: 1, width: 100_000 }],
    ['too long an SVG', { svg: 'x'.repeat(200_001) }],
  ])('T9: refuses %s', async (_what, input) => {
    const { context } = contextWith({});
    expect(await generateImage.call({ name: 'x', ...input }, context)).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('generate_audio', () => {
  const sound = { base64: Buffer.from('a sound').toString('base64'), seconds: 1.2345, lufs: -16.1, peakDb: -2 };

  it('T9: stores notes and speech of the sandbox as uploads, with their length and loudness', async () => {
    const requested: unknown[] = [];
    const { added, context } = contextWith({
      async makeSound(request) {
        requested.push(request);
        return sound;
      },
    });
    const tool = createAudioTool(null);
    const output = { src: '/assets/ping.mp3', seconds: 1.23, loudness_lufs: -16.1 };
    expect(await tool.call({ name: 'ping', notes: [{ hz: 880, seconds: 0.2 }] }, context)).toMatchObject({ output });
    expect(await tool.call({ name: 'hello', speech: { text: ' Hello. ' } }, context)).toMatchObject({ status: 'completed' });
    expect(requested).toEqual([
      { source: 'notes', notes: [{ hz: 880, at: 0, seconds: 0.2, db: 0 }] },
      { source: 'speech', speech: { text: 'Hello.', language: 'en', speed: 1 } },
    ]);
    expect(added.map(({ name, content }) => `${name} ${content}`)).toEqual(['ping.mp3 a sound', 'hello.mp3 a sound']);
  });

  it('T9: has a speech server’s recording decoded in the sandbox alone, and reports a refused key as final', async () => {
    let status = 200;
    const server = createServer((_request, response) => response.writeHead(status).end('a recording')).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const connection = { url: `http://127.0.0.1:${port}`, key: null, model: 'tts-1', voice: 'alloy' };
      const received: string[] = [];
      const { added, context } = contextWith({
        async normaliseSound(content) {
          received.push(await text(content as Readable));
          return sound;
        },
      });
      const tool = createAudioTool(connection);
      const input = { name: 'hello', speech: { text: 'Hello' } };
      expect(await tool.call(input, context)).toMatchObject({ status: 'completed' });
      expect(received).toEqual(['a recording']);
      status = 401;
      const refused = await tool.call(input, context);
      expect(refused).toMatchObject({ status: 'error', code: 'UNAUTHORIZED', failure: { retryable: false } });
      expect(added).toHaveLength(1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it.each([
    ['neither speech nor notes', {}],
    ['both', { speech: { text: 'x' }, notes: [{ hz: 440, seconds: 1 }] }],
    ['an option as a language', { speech: { text: 'x', language: '--help' } }],
    ['a path as a language', { speech: { text: 'x', language: '../etc' } }],
    ['an empty text', { speech: { text: ' ' } }],
    ['too long a text', { speech: { text: 'x'.repeat(2_501) } }],
  ])('T9: refuses %s', async (_what, input) => {
    expect(await createAudioTool(null).call({ name: 'x', ...input }, contextWith({}).context)).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
