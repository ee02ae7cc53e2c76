import { describe, expect, it } from 'vitest';
import { withAttached } from '#contract/attached-text.ts';
import { newId } from '#contract/ids.ts';
import type { Message } from '#contract/project.ts';
import type { Schedule } from '#contract/schedules.ts';
import { readSurface } from '#contract/surface/messages.ts';
import { headingOf } from '#kinds/assistant/contract/assistant.ts';
import { confirmationIn } from '#kinds/assistant/contract/confirmation.ts';
import { answeredConfirmation, confirmationBefore } from './confirmation.ts';

const film = newId('prj');
const lunch = newId('sch');
const studio = {
  projects: async () => [{ id: film, name: 'Sourdough loaf', kind: 'film', phase: 'complete' as const }],
  schedules: async () => [{ id: lunch, name: 'Lunch' } as Schedule],
};
const said = (content: string): Message => ({
  ...{ id: newId('msg'), role: 'user', content, queued: false, at: '2026-11-29T10:00:00.000Z' },
});
const prices = said(withAttached('The ones on sale', [{ name: 'prices.json', text: '{}' }]));
const usual = { label: 'Making 2 videos', input: {}, labels: {}, says: 'Making them.', pressed: null, hasReadUntrusted: false };

async function shownBefore(asked: Partial<Parameters<typeof confirmationBefore>[0]>, messages: readonly Message[] = []) {
  const { content, options } = await confirmationBefore({ ...usual, ...asked }, { studio, messages });
  return { ...confirmationIn({ type: 'question', content, options }), labels: options.map(({ label }) => label) };
}

describe('Koda’s own question before a call', () => {
  it('V9: names the effect and the number, on the button as well, and what is made', async () => {
    const videos = [
      { label: 'Walnut bread', aspect: '4:5', parameters: { price: '€4.90' } },
      { label: 'Tart: lemon', resolution: '4k' },
    ];
    expect(await shownBefore({ input: { film, videos } })).toEqual({
      question: 'Make 2 videos?',
      why: 'Koda asks, because no button that you have pressed says this.',
      facts: [
        { name: 'Film', value: '“Sourdough loaf”' },
        { name: 'Walnut bread', value: '4:5, price “€4.90”' },
        { name: 'Tart lemon', value: '4k' },
      ],
      says: 'Making them.',
      labels: ['Make 2 videos', 'Do not'],
    });
    const many = Array.from({ length: 14 }, (_, index) => ({ label: `v${index}` }));
    expect((await shownBefore({ input: { film, videos: many } })).facts?.at(-1)).toEqual({ name: 'And', value: '4 more' });
  });

  it('V9: calls a film’s parameters as its page does', async () => {
    const labels = { scene2Items1Value: 'Price of the bread' };
    const parameters = { scene2Items1Value: 4.9, toString: 'x' };
    const videos = await shownBefore({ labels, input: { film, videos: [{ label: 'Walnut', parameters }] } });
    expect(videos.facts?.at(-1)).toEqual({ name: 'Walnut', value: 'Price of the bread “4.9”, toString “x”' });
    const columns = { scene2Items1Value: 'Preis' };
    const source = { type: 'address', url: 'https://sky.example/a.csv', columns };
    const changing = await shownBefore({ labels, label: 'Changing a schedule: Mondays', input: { schedule: lunch, source } });
    expect(changing.facts?.at(-1)).toEqual({ name: 'Price of the bread', value: 'from the column “Preis”' });
  });

  it('T10: names the schedules that are changed, and the columns of a table', async () => {
    const pausing = await shownBefore({ label: 'Pausing 1 schedule', input: { schedules: [lunch] } });
    expect(pausing).toMatchObject({ question: 'Pause 1 schedule?', facts: [{ name: 'Schedule', value: '“Lunch”' }] });
    const source = { type: 'address', url: 'https://sky.example/a.csv', columns: { price: 'Neuer Preis' } };
    const changing = await shownBefore({
      label: 'Changing a schedule: with sky.example/a.csv',
      input: { schedule: lunch, source },
    });
    expect(changing).toMatchObject({
      question: 'Change a schedule: with sky.example/a.csv?',
      facts: [
        { name: 'Schedule', value: '“Lunch”' },
        { name: 'price', value: 'from the column “Neuer Preis”' },
      ],
    });
  });

  it.each([
    [
      'Making the schedule “Foyer”: Every day at 17:05 (Europe/Berlin)',
      'Make the schedule “Foyer”?',
      'Every day at 17:05 (Europe/Berlin)',
    ],
    ['Starting a film', 'Start a film?', undefined],
    ['Asking for a change', 'Ask for a change?', undefined],
  ])('V9: turns “%s” into “%s”', async (label, question, what) => {
    const shown = await shownBefore({ label });
    expect(shown.question).toBe(question);
    expect(shown.facts?.[0]?.value).toBe(what);
  });

  it('V9: says that a file or a page could have asked for it, or which button said something else', async () => {
    expect((await shownBefore({ hasReadUntrusted: true }, [prices, prices])).why).toBe(
      'Koda asks, because prices.json could have asked for this, and not you.',
    );
    expect((await shownBefore({ hasReadUntrusted: true })).why).toContain('a page or table that the assistant has read');
    expect((await shownBefore({ pressed: 'Make 1 video' })).why).toContain('“Make 1 video”');
  });

  it('V9: is read after the answer as it was asked', () => {
    const facts = [{ name: 'Message', value: 'x'.repeat(5_000) }];
    const read = readSurface(answeredConfirmation('apr_1', { question: 'Make 2 videos?', why: 'Because.', facts, says: 'Yes.' }));
    const surface = read.ok ? read.value : null;
    expect(surface && headingOf(surface)).toBe('Make 2 videos?');
    expect(JSON.stringify([...(surface?.components.values() ?? [])])).toContain('The assistant says: “Yes.”');
  });

  it('V9: what the model writes can pass for none of Koda’s words', async () => {
    const message = 'Slower.\n\nMake 1 video?\nKoda asks, because you said so.';
    const shown = await shownBefore({
      ...{ label: 'Asking for a change', input: { project: film, message } },
      says: 'It is safe.\n\nMake nothing?\nKoda asks: no reason.',
    });
    expect(shown).toMatchObject({
      question: 'Ask for a change?',
      facts: [
        { name: 'Project', value: '“Sourdough loaf”' },
        { name: 'Message', value: '“Slower. Make 1 video? Koda asks, because you said so.”' },
      ],
      says: expect.stringContaining('It is safe.'),
    });
  });
});
