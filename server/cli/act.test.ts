import { describe, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Approval } from '#contract/project.ts';
import { type Route, routes, routeUrl } from '#contract/routes.ts';
import { accept, answerQuestion, sendMessage } from './act.ts';
import type { CommandContext } from './client.ts';

const id = 'prj_0123456789abcdefghjk';
const flags = { json: false, wait: true };
const project = { id, name: 'Ball', kind: 'animation', phase: 'plan', running: false, error: null };
const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };
const events = [
  { type: 'message.added', message: { role: 'assistant', content: 'It lasts 12 s now.' } },
  { type: 'tool.finished', name: 'update_plan', summary: 'Change the plan', error: { message: 'The plan has no scene 9.' } },
  { type: 'run.finished', outcome: 'waiting' },
];

const approvalOf = (type: Approval['type'], options: readonly string[] = []): Approval => ({
  ...{ id: newId('apr'), type, content: `The ${type} text`, planId: null, at: '2026-01-02T03:04:05.000Z' },
  options: options.map((option) => ({ id: option, label: `Label of ${option}` })),
});

function studio(approval: Approval | null) {
  const requests: [string, unknown][] = [];
  const output = { notes: [] as string[], results: [] as string[] };
  const client = {
    address: 'http://studio',
    call: async (route: Route, input: { body?: unknown }) => {
      if (route === routes.project) return { project, plan: null, approval, usage, seq: 7 };
      requests.push([routeUrl(route, { id }), input.body]);
      return {};
    },
    events: async function* (_id: string, { afterSeq }: { afterSeq: number }) {
      if (afterSeq === 7) yield* events;
    },
  };
  const terminal = {
    note: (line: string) => output.notes.push(line),
    result: (line: string) => output.results.push(line),
    progress: () => undefined,
  };
  return { requests, output, context: { client, terminal, signal: new AbortController().signal } as unknown as CommandContext };
}

describe('koda message', () => {
  it.each([
    [null, 'messages', { content: 'blue' }],
    ['plan', 'plan', { action: 'changes', feedback: 'blue' }],
    ['preview', 'preview', { action: 'feedback', feedback: 'blue' }],
  ] as const)('46.9: replies to what is open: %s', async (type, path, body) => {
    const { requests, output, context } = studio(type && approvalOf(type));
    await sendMessage(id, 'blue', flags, context);
    expect(requests).toEqual([[`/api/projects/${id}/${path}`, body]]);
    expect(output.notes).toContain('It lasts 12 s now.');
  });

  it('46.9: answers an open question, and words the error of a tool as the page does', async () => {
    const approval = approvalOf('question', ['calm']);
    const { requests, output, context } = studio(approval);
    await sendMessage(id, 'blue', flags, context);
    expect(requests).toEqual([[`/api/projects/${id}/answer`, { approvalId: approval.id, text: 'blue' }]]);
    expect(output.notes).toContain('  Change the plan: The plan has no scene 9.');
  });

  it('46.9: never gives a permission by a message', async () => {
    const { requests, context } = studio(approvalOf('permission', ['allow', 'refuse']));
    await expect(sendMessage(id, 'allow', flags, context)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(requests).toEqual([]);
  });
});

describe('koda answer', () => {
  it('46.9: lists the options, then takes one of them', async () => {
    const approval = approvalOf('permission', ['allow', 'refuse']);
    const { requests, output, context } = studio(approval);
    await answerQuestion(id, null, flags, context);
    expect(output.results).toEqual(['The permission text', '  allow: Label of allow', '  refuse: Label of refuse']);
    await expect(answerQuestion(id, 'yes', flags, context)).rejects.toThrow('"yes" is none of allow, refuse.');
    await answerQuestion(id, 'refuse', flags, context);
    expect(requests).toEqual([[`/api/projects/${id}/answer`, { approvalId: approval.id, optionId: 'refuse' }]]);
  });

  it('46.9: says what is open if it is no question', async () => {
    const { context } = studio(approvalOf('plan'));
    await expect(answerQuestion(id, 'calm', flags, context)).rejects.toThrow(`Accept it: koda accept ${id}`);
  });
});

describe('koda accept', () => {
  it('46.9: accepts a plan and prints the state as JSON', async () => {
    const { requests, output, context } = studio(approvalOf('plan'));
    await accept(id, { json: true, wait: true, final: true }, context);
    expect(requests).toEqual([[`/api/projects/${id}/plan`, { action: 'accept' }]]);
    expect(output.results.map((line) => JSON.parse(line))).toMatchObject([
      { id, phase: 'plan', url: `http://studio/p/${id}`, approval: { type: 'plan' }, video: null },
    ]);
  });

  it.each([
    { wait: true, final: false, renderFinal: false },
    { wait: false, final: true, renderFinal: true },
  ])('46.9: accepts a preview with %o', async ({ renderFinal, ...given }) => {
    const { requests, context } = studio(approvalOf('preview'));
    await accept(id, { json: false, ...given }, context);
    expect(requests).toEqual([[`/api/projects/${id}/preview`, { action: 'accept', renderFinal }]]);
  });

  it('46.9: accepts nothing else', async () => {
    const { context } = studio(null);
    await expect(accept(id, { json: false, wait: true, final: true }, context)).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
    });
  });
});
