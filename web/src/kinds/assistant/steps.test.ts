import { describe, expect, it } from 'vitest';
import type { ProjectSnapshot } from '#contract/api.ts';
import { withAttached } from '#contract/attached-text.ts';
import { newId } from '#contract/ids.ts';
import { readSurface } from '#contract/surface/messages.ts';
import type { Surface, SurfaceMessages } from '#contract/surface/surface.ts';
import { type Answer, goesOnText } from '#kinds/assistant/contract/assistant.ts';
import { announcement, asksToDelete, entriesOf, progressText, stageOf, startedIn, trackOf, type WorkStates } from './steps.ts';
import { partsOf } from './surface-parts.ts';
import type { WorkState } from './what-waits.ts';

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

const answer = (more: Partial<Answer>): Answer => ({
  ...{ approvalId: newId('apr'), messageId: 'msg_2', callId: 'call_1-form-1-1', isInWords: false },
  ...{ title: 'Another size', says: 'Which film?', askedAt: at(1), at: at(2), ...more },
});

const noWork: WorkStates = new Map();
const upTo = (readUpTo: string, answers: readonly Answer[] = [], work = noWork) => ({ answers, readUpTo, work });

describe('the steps of a conversation', () => {
  it('waits with the form as the current chip, and names what is sure to come', () => {
    const waiting = known({ approval: question(messagesOf('one', form)), tools: [call('list_films', 1, 100)] });
    const steps = entriesOf(waiting, upTo('msg_1')).filter((entry) => entry.kind === 'step');
    expect(steps.map(({ verb }) => verb)).toEqual([
      ...['Looked for films', 'Waiting for you', 'Then: make the videos', 'Then: a table of results'],
    ]);
    expect(steps[1]?.chip).toEqual({ title: 'Another size', target: { kind: 'now' } });
    expect(trackOf(waiting, [], noWork)).toEqual({ state: 'waiting', passed: ['thinking'] });
  });

  it('shows an answer as a step and never as something said, even before it is known to be one', () => {
    const answered = known({ messages: [said('msg_1', 0, 'Another size'), said('msg_2', 3, 'make\nsizes: 1:1')] });
    const texts = (entries: ReturnType<typeof entriesOf>) => entries.flatMap((one) => (one.kind === 'said' ? [one.text] : []));
    expect(texts(entriesOf(answered, upTo('msg_1')))).toEqual(['Another size']);
    const answers = [answer({ messageId: 'msg_2', title: 'Another size', at: at(3) })];
    const entries = entriesOf(answered, upTo('msg_2', answers));
    expect(texts(entries)).toEqual(['Another size']);
    expect(entries[1]).toMatchObject({ verb: 'You answered', chip: { target: { kind: 'form' } } });
  });

  it('V4: begins a call that has asked after the answer', () => {
    const answered = known({
      messages: [said('msg_1', 0, 'Clean up'), said('msg_2', 2, 'Delete 4 videos')],
      tools: [call('measure_storage', 1, 100), call('delete_videos', 1, 200), call('list_films', 3, 100)],
    });
    const answers = [answer({ callId: 'call_delete_videos', title: 'Delete 4 videos?' })];
    const steps = entriesOf(answered, upTo('msg_2', answers)).flatMap((entry) => (entry.kind === 'step' ? [entry.verb] : []));
    expect(steps.slice(0, 4)).toEqual(['Measured storage', 'You answered', 'Deleted videos', 'Looked for films']);
  });

  it('V7: keeps a form that was answered in words as a chip before them, in the same round', () => {
    const answered = known({ messages: [said('msg_1', 0, 'A list'), said('msg_2', 3, 'The other one')] });
    const entries = entriesOf(answered, upTo('msg_2', [answer({ isInWords: true, at: at(3) })]));
    expect(entries.slice(0, 3)).toMatchObject([
      { kind: 'said', text: 'A list' },
      { verb: 'You answered in words', chip: { title: 'Another size', target: { kind: 'form' } } },
      { kind: 'said', text: 'The other one' },
    ]);
    expect(trackOf(answered, [answer({ isInWords: true, at: at(3) })], noWork).passed).toContain('waiting');

    // The next form came with the reply to these words.
    const messages = [...answered.messages, said('msg_3', 5, 'Make 1 video')];
    const next = answer({ messageId: 'msg_3', says: 'There is no other one.', askedAt: at(4), at: at(5) });
    const replied = entriesOf(known({ messages }), upTo('msg_3', [answer({ isInWords: true, at: at(3) }), next]));
    expect(replied.slice(2, 5)).toMatchObject([
      { kind: 'said', text: 'The other one' },
      { kind: 'words', text: 'There is no other one.' },
      { verb: 'You answered' },
    ]);
  });

  it('V7: shows what was said without the text of its files', () => {
    const files = [{ name: 'hours.csv', text: 'place,until\nHarbour,21:00' }];
    const asked = known({ messages: [said('msg_1', 0, withAttached('Make these', files))] });
    expect(entriesOf(asked, upTo('msg_1'))[0]).toMatchObject({ kind: 'said', text: 'Make these', files });
  });

  it('puts progress on the step that makes the videos', () => {
    const surface = messagesOf('making-rnd_1', form, { progress: { done: 1, failed: 0, total: 2 } });
    const message = { id: 'msg_3', role: 'assistant', content: 'Making 2 videos', queued: false, at: at(3), surface } as const;
    const running = known({
      messages: [said('msg_1', 0, 'Another size'), message],
      tools: [call('render_videos', 2, null)],
    });
    const [, step] = entriesOf(running, upTo('msg_1'));
    expect(step).toMatchObject({
      sentence: '1 done, 1 to go',
      progress: { done: 1, failed: 0, total: 2 },
      chip: { target: { kind: 'now' } },
    });
    expect(stageOf(running, [])).toMatchObject({ kind: 'surface', isQuestion: false });
  });

  it('puts the progress of each of two batches on its own step', () => {
    const progress = (total: number, minute: number) => {
      const surface = messagesOf(`making-rnd_${total}`, form, { progress: { done: 0, failed: 0, total } });
      return { id: `msg_${minute}`, role: 'assistant', content: 'Making', queued: false, at: at(minute), surface } as const;
    };
    const running = known({
      messages: [said('msg_1', 0, 'Another size'), progress(2, 3), progress(1, 6)],
      tools: [call('render_videos', 2, 1_000), call('render_videos', 5, null)],
    });
    const [, first, second] = entriesOf(running, upTo('msg_1'));
    expect(first).toMatchObject({ look: 'done', progress: null, chip: { target: { messageId: 'msg_3' } } });
    expect(second).toMatchObject({ sentence: '0 done, 1 to go', chip: { target: { kind: 'now' } } });
  });

  it('V7: keeps the progress of a running batch on the stage when the person says something', () => {
    const progress = (id: string, minute: number, done: number) => {
      const surface = messagesOf(`making-${id}`, form, { progress: { done, failed: 0, total: 2 } });
      return { id, role: 'assistant', content: 'Making', queued: false, at: at(minute), surface } as const;
    };
    const words = said('msg_9', 6, 'Only the first, please');
    const messages = [said('msg_1', 0, 'Another size'), progress('msg_3', 3, 2), progress('msg_5', 5, 1), words];
    const running = known({ messages, tools: [call('render_videos', 2, 1_000), call('render_videos', 4, null)] });
    expect(stageOf(running, [])).toMatchObject({ kind: 'surface', surface: { surfaceId: 'making-msg_5' }, isQuestion: false });
    const chips = entriesOf(running, upTo('msg_9')).flatMap((entry) => (entry.kind === 'step' ? [entry.chip?.target] : []));
    expect(chips.slice(0, 2)).toEqual([{ kind: 'message', messageId: 'msg_3' }, { kind: 'now' }]);
    const begun = known({ ...running, messages: messages.filter(({ id }) => id !== 'msg_5') });
    expect(stageOf(begun, [])).toEqual({ kind: 'thinking' });
    const ended = known({ ...running, tools: [call('render_videos', 4, 1_000)] });
    expect(stageOf(ended, [])).toEqual({ kind: 'thinking' });
  });

  it('counts failed videos as failed and not as done', () => {
    expect(progressText({ done: 0, failed: 2, total: 3 })).toBe('0 done, 2 failed, 1 to go');
    expect(progressText({ done: 3, failed: 0, total: 3 })).toBe('3 done');
  });

  it('says that something has only been started, until a look at the project says more', () => {
    const reply = { id: 'msg_3', role: 'assistant', content: 'Koda draws it.', queued: false, at: at(4) } as const;
    const started = { ...call('make_project', 2, 100), summary: goesOnText('drawing', 'Autumn sale') };
    const ended = (...tools: Known['tools']) =>
      known({
        project: { ...project, prompt: 'A film', phase: 'conversation' },
        messages: [said('msg_1', 0, 'A film'), reply],
        tools,
      });
    expect(trackOf(ended(started), [], noWork)).toEqual({ state: 'started', passed: ['thinking', 'running'] });
    expect(stageOf(ended(started), [])).toEqual({ kind: 'words', text: 'Koda draws it.' });
    expect(entriesOf(ended(started), upTo('msg_1'))[1]).toMatchObject({
      look: 'started',
      verb: 'Started',
      sentence: 'Koda is drawing “Autumn sale”',
    });
    const look = { ...call('show_project', 3, 100), summary: '“Autumn sale” is finished' };
    expect(trackOf(ended(started, look), [], noWork).state).toBe('done');
    expect(entriesOf(ended(started, look), upTo('msg_1'))[2]).toMatchObject({
      look: 'done',
      sentence: '“Autumn sale” is finished',
    });
  });

  it('V7: has the state of what it has started, in the head, the step and the announcement', () => {
    const [film, app] = [newId('prj'), newId('prj')];
    const reply = { id: 'msg_2', role: 'assistant', content: 'Koda is at it.', queued: false, at: at(4) } as const;
    const made = {
      ...call('make_project', 1, 9),
      summary: goesOnText('drawing', 'Rain'),
      started: { projectId: film, name: 'Rain' },
    };
    const told = { ...call('tell_project', 2, 9), summary: goesOnText('changing', 'Hours') };
    const ended = known({
      project: { ...project, prompt: 'Two things', phase: 'conversation' },
      messages: [said('msg_1', 0, 'Two things'), reply],
      tools: [made, { ...told, started: { projectId: app, name: 'Hours' } }],
    });
    const shown = (filmState: WorkState, appState: WorkState | null) => {
      const work = new Map([[film, filmState], ...(appState === null ? [] : [[app, appState] as const])]);
      const { state, passed } = trackOf(ended, [], work);
      const steps = entriesOf(ended, upTo('msg_2', [], work)).flatMap((entry) =>
        entry.kind === 'step' ? [`${entry.verb} (${entry.look}): ${entry.sentence}`] : [],
      );
      return { head: state, passed, said: announcement(ended, state), steps };
    };
    expect(shown('done', 'done')).toEqual({
      head: 'done',
      passed: ['thinking', 'running'],
      said: 'Done',
      steps: ['Made (done): “Rain” is finished', 'Changed (done): “Hours” is finished'],
    });
    expect(shown('waiting', 'done')).toMatchObject({
      head: 'waiting',
      said: 'Waiting for you',
      steps: ['Started (waiting): “Rain” waits for you', 'Changed (done): “Hours” is finished'],
    });
    expect(shown('failed', 'started')).toMatchObject({
      head: 'failed',
      said: 'Failed',
      steps: ['Started (failed): “Rain” failed', 'Started (started): Koda is changing “Hours”'],
    });
    // The app is not loaded yet.
    expect(shown('done', null)).toMatchObject({ head: 'started', said: 'Started' });
    expect(shown('deleted', 'stopped')).toMatchObject({
      head: 'stopped',
      steps: ['Started (stopped): “Rain” was deleted', 'Started (stopped): “Hours” was stopped'],
    });
    // “Waiting” is not both passed and current.
    const answers = [answer({ at: at(1) })];
    expect(trackOf(ended, answers, new Map([[film, 'waiting']])).passed).toEqual(['thinking', 'running']);
  });

  it('names what a turn has started once it has ended, also if the person has said something meanwhile', () => {
    const work = (name: string) => ({ projectId: newId('prj'), name });
    const [before, made, changed] = [work('Rain'), work('Autumn sale'), work('Foyer')];
    const reply = (id: string, minute: number) => ({ ...said(id, minute, 'Koda draws it.'), role: 'assistant' }) as const;
    const tools = [
      { ...call('make_project', 1, 9), started: before },
      { ...call('make_project', 3, 9), started: made },
      { ...call('tell_project', 5, 9), started: { ...changed, name: 'Hall' } },
      { ...call('tell_project', 6, 9), started: changed },
      { ...call('tell_project', 6, 9), error: { code: 'NOT_FOUND', message: 'x' } },
    ];
    const messages = [
      said('msg_1', 0, 'A film'),
      reply('msg_2', 2),
      said('msg_3', 2, 'Another'),
      said('msg_4', 4, 'Soon, please'),
    ];
    const ended = { ...project, phase: 'conversation' } as const;
    expect(startedIn(known({ messages: [...messages, reply('msg_5', 7)], tools, project: ended }))).toEqual([made, changed]);
    expect(startedIn(known({ messages, tools }))).toEqual([]);
    const error = { code: 'MAX_RETRIES', message: 'Three attempts failed.', canRetry: true };
    expect(startedIn(known({ messages, tools, project: { ...project, phase: 'error', error } }))).toEqual([made, changed]);
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
