import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { parameterInfoSchema } from '#contract/render.ts';
import type { Schedule } from '#contract/schedules.ts';
import type { ActingStudio } from '../studio.ts';
import { labelsInCall } from './call-labels.ts';

const film = newId('prj');
const schedule = newId('sch');
const price = parameterInfoSchema.parse({ name: 'scene2Items1Value', type: 'number', default: 1, description: 'Price' });
const { signal } = new AbortController();

const studioWith = (parameters: ActingStudio['parameters']) => ({
  parameters,
  schedules: async () => [{ id: schedule, projectId: film } as Schedule],
});
const described = studioWith(async (id) => {
  if (id !== film) throw new KodaError('NOT_FOUND', 'Gone.');
  return [price];
});
const videos = [{ label: 'a', parameters: { scene2Items1Value: 4, other: 'x' } }, { label: 'b' }];

describe('the labels of the parameters that a call names', () => {
  it('V9: come from the film, or from the film of the schedule', async () => {
    expect(await labelsInCall({ film, videos }, { studio: described, signal })).toEqual({
      ...{ scene2Items1Value: 'Price', other: 'other' },
    });
    const source = { type: 'table', columns: { scene2Items1Value: 'Preis' } };
    expect(await labelsInCall({ schedule, source }, { studio: described, signal })).toEqual({ scene2Items1Value: 'Price' });
  });

  it.each([
    ['it names none', { film, videos: [{ label: 'b' }] }],
    ['it is about no film', { schedule: newId('sch'), source: { columns: { price: 'Preis' } } }],
    ['it is something else', { schedules: [schedule], source: 7 }],
  ])('V9: need no film if %s', async (_, input) => {
    const studio = studioWith(() => Promise.reject(new Error('was asked')));
    expect(await labelsInCall(input, { studio, signal })).toEqual({});
  });

  it('V9: are missing if the film cannot say them, or is being changed', async () => {
    expect(await labelsInCall({ film: newId('prj'), videos }, { studio: described, signal })).toEqual({});
    const changing = studioWith(async (_, options) => {
      await options.onWait('Waits for the change of “Open late” to finish');
      options.signal.throwIfAborted();
      return [price];
    });
    expect(await labelsInCall({ film, videos }, { studio: changing, signal })).toEqual({});
  });

  it('V9: end with the turn if it is stopped meanwhile', async () => {
    const stop = new AbortController();
    const stopped = studioWith(async (_, options) => {
      stop.abort(new Error('stopped'));
      options.signal.throwIfAborted();
      return [price];
    });
    await expect(labelsInCall({ film, videos }, { studio: stopped, signal: stop.signal })).rejects.toThrow('stopped');
  });
});
