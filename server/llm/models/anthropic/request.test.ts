import { expect, it } from 'vitest';
import type { ContentBlock, ModelMessage } from '../model.ts';
import { messageParams } from './request.ts';

const features = {
  ...{ caching: true, images: true, thinking: true, pastThinking: true, effort: true, forcedTool: true, eagerInput: true },
} as Parameters<typeof messageParams>[1]['features'];

function sent(messages: readonly ModelMessage[]) {
  const request = { role: 'orchestrator', projectId: null, system: 's', messages, tools: [], forcedTool: null } as const;
  return messageParams(request, { model: 'm', maxOutputTokens: 100, effort: null, features }).messages;
}

const use = (id: string): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'check_animation', input: {} }],
});
const result = (id: string, parts: Partial<Extract<ContentBlock, { type: 'tool_result' }>> = {}): ModelMessage => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId: id, content: '{}', isError: false, ...parts }],
});
const image = { mediaType: 'image/jpeg', base64: '/9j/' } as const;

it('46.3: caches up to the request before the last image that is left out, and up to the end', () => {
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'go' }] } as const,
    use('a'),
    result('a'),
    use('b'),
    result('b', { isImageless: true }),
    use('c'),
    result('c', { images: [image] }),
  ];
  const cached = (list: readonly ModelMessage[]) =>
    sent(list).flatMap((message, index) => (JSON.stringify(message).includes('cache_control') ? [index] : []));
  expect(cached(messages)).toEqual([2, 6]);
  expect(cached(messages.slice(0, 3))).toEqual([2]);
});

it('46.3: sends the frames of a failed check after its result, because an error may only contain text', () => {
  const [, , message] = sent([
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    use('a'),
    result('a', { isError: true, images: [image] }),
  ]);
  expect(message?.content).toMatchObject([{ type: 'tool_result', content: [{ type: 'text' }] }, { type: 'image' }]);
});
