import { describe, expect, it } from 'vitest';
import type { ProjectSnapshot } from '#contract/api.ts';
import { newId } from '#contract/ids.ts';
import { readSurface } from '#contract/surface/messages.ts';
import type { Surface, SurfaceMessages } from '#contract/surface/surface.ts';
import { asksToDelete, entriesOf, stageOf, trackOf } from './steps.ts';
import { partsOf } from './surface-parts.ts';

type Known = Parameters<typeof stageOf>[0];

const at = (minute: number): string => `2026-11-29T10:0${minute}:00.000Z`;

const messagesOf = (surfaceId: string, components: object[], data: object = {}): SurfaceMessages => [
  { version: 'v0.9', createSurface: { surfaceId, catalogId: 'koda:catalog/v1' } },
  { version: 'v0.9', updateDataModel: { surfaceId, value: data } },
  { version: 'v0.9', updateComponents: { surfaceId, components } },
];

const button = (id: string, variant = 'default') => [
  { id, component: 'Button', child: `${id}-label`, variant, action: { event: { name: 'submit', context: {} } } },
  { id: `${id}-label`, component: 'Text', text: id },
];

const form = [
  { id: 'root', component: 'Column', children: ['title', 'words', 'footer'] },
  { id: 'title', component: 'Text', text: 'Another size', variant: 'h1' },
  { id: 'words', component: 'Text', text: 'Choose' },
  { id: 'footer', component: 'Row', children: ['make', 'change', 'cancel'] },
  ...[...button('make', 'primary'), ...button('change'), ...button('cancel')],
];

function surfaceFrom(components: object[]): Surface {
  const read = readSurface(messagesOf('one', components));
  if (!read.ok) throw new Error(read.issue.message);
  return read.value;
}

const said = (id: string, minute: number, content: string) =>
  ({ id, role: 'user', content, queued: false, at: at(minute) }) as const;

const project = { prompt: 'Another size', phase: 'executing', error: null, thinking: null } as ProjectSnapshot['project'];

const call = (name: string, minute: number, durationMs: number | null) => ({
  ...{ callId: `call_${name}`, name, label: 'Making 2 videos', summary: '2 of 2 videos', startedAt: at(minute) },
  ...{ durationMs, error: null },
});

const question = (surface: SurfaceMessages): ProjectSnapshot['approval'] => ({
  ...{ id: newId('apr'), type: 'question', content: 'Which?', options: [], planId: null, at: at(2) },
  surface,
});

const known = (more: Partial<Known>): Known => ({
  ...{ project, approval: null, tools: [], messages: [said('msg_1', 0, 'Another size')] },
  ...more,
});

describe('the parts of a surface', () => {
  it('keeps heading and buttons out of what scrolls, with the primary button last', () => {
    const { body, footer } = partsOf(surfaceFrom(form));
    expect(body?.components.get('root')).toMatchObject({ children: ['words'] });
    expect(footer?.components.get('root')).toMatchObject({ children: ['cancel', 'change', 'make'] });
  });

  it('leaves cards, which are buttons with more than a word, in the body', () => {
    const cards = [
      { id: 'root', component: 'Column', children: ['card'] },
      { id: 'card', component: 'Button', child: 'words', action: { event: { name: 'choose_option', context: {} } } },
      { id: 'words', component: 'Column', children: ['label'] },
      { id: 'label', component: 'Text', text: 'Square' },
    ];
    const { body, footer } = partsOf(surfaceFrom(cards));
    expect(footer).toBeNull();
    expect(body?.components.get('root')).toMatchObject({ children: ['card'] });
  });
});

describe('the steps of a conversation', () => {
  it('waits with the form as the current chip, and names what is sure to come', () => {
    const waiting = known({ approval: question(messagesOf('one', form)), tools: [call('list_films', 1, 100)] });
    const steps = entriesOf(waiting, [], 'msg_1').filter((entry) => entry.kind === 'step');
    expect(steps.map(({ verb }) => verb)).toEqual([
      ...['Looked for films', 'Waiting for you', 'Then: make the videos', 'Then: a table of results'],
    ]);
    expect(steps[1]?.chip).toEqual({ title: 'Another size', target: { kind: 'now' } });
    expect(trackOf(waiting, [])).toEqual({ state: 'waiting', passed: ['thinking'] });
  });

  it('shows an answer as a step and never as something said, even before it is known to be one', () => {
    const answered = known({ messages: [said('msg_1', 0, 'Another size'), said('msg_2', 3, 'make\nsizes: 1:1')] });
    const texts = (entries: ReturnType<typeof entriesOf>) => entries.flatMap((one) => (one.kind === 'said' ? [one.text] : []));
    expect(texts(entriesOf(answered, [], 'msg_1'))).toEqual(['Another size']);
    const answers = [{ approvalId: newId('apr'), messageId: 'msg_2', title: 'Another size', at: at(3) }];
    const entries = entriesOf(answered, answers, 'msg_2');
    expect(texts(entries)).toEqual(['Another size']);
    expect(entries[1]).toMatchObject({ verb: 'You answered', chip: { target: { kind: 'form' } } });
  });

  it('puts progress on the step that makes the videos', () => {
    const surface = messagesOf('making-rnd_1', form, { progress: { done: 1, failed: 0, total: 2 } });
    const message = { id: 'msg_3', role: 'assistant', content: 'Making 2 videos', queued: false, at: at(3), surface } as const;
    const running = known({
      messages: [said('msg_1', 0, 'Another size'), message],
      tools: [call('render_videos', 2, null)],
    });
    const [, step] = entriesOf(running, [], 'msg_1');
    expect(step).toMatchObject({ sentence: '1 of 2 done', progress: 0.5, chip: { target: { kind: 'now' } } });
    expect(stageOf(running, [])).toMatchObject({ kind: 'surface', isQuestion: false });
  });

  it('goes by the waiting call and not by the surface to recognise the question before a deletion', () => {
    const imitated = question(messagesOf('delete-rnd_1', form));
    expect(asksToDelete(known({ approval: imitated }))).toBe(false);
    const asked = known({ approval: imitated, tools: [call('delete_videos', 2, null)] });
    expect(stageOf(asked, [])).toEqual({ kind: 'deletion' });
  });

  it('says of an error what failed, and of a stop that it was one', () => {
    const error = { code: 'EXECUTION_ERROR', message: 'No video was made.', canRetry: true };
    const failed = known({ project: { ...project, phase: 'error', error } });
    expect(stageOf(failed, [])).toEqual({ kind: 'failed' });
    const stopped = known({ project: { ...project, phase: 'error', error: { ...error, code: 'CANCELLED' } } });
    expect(stageOf(stopped, [])).toEqual({ kind: 'stopped' });
  });
});
