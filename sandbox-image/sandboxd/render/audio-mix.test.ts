import { describe, expect, it } from 'vitest';
import { type AudioInput, planMix } from './audio-mix.ts';

function sound(track: Partial<AudioInput['track']>, file: Partial<AudioInput> = {}): AudioInput {
  const defaults = {
    src: '/a.wav',
    startSeconds: 0,
    offsetSeconds: 0,
    durationSeconds: null,
    gainDb: 0,
    fadeInSeconds: 0,
    fadeOutSeconds: 0,
  };
  return { path: '/w/a.wav', channels: 2, durationSeconds: 60, ...file, track: { ...defaults, ...track } };
}
const film = { startSeconds: 0, durationSeconds: 10, filmSeconds: 10 };

function chain(one: AudioInput, range = film): string[] {
  const graph = planMix([one], range, 1)?.graph ?? '';
  return (/\[1:a:0\](.*?)\[track0\]/.exec(graph)?.[1] ?? '').split(',');
}

describe('planMix', () => {
  it('X9: returns null without tracks', () => {
    expect(planMix([], film, 1)).toBeNull();
  });

  it('X9: mixes all tracks at their own volume, exactly as long as the range', () => {
    const mix = planMix([sound({}), sound({ startSeconds: 2 }, { path: '/w/b.wav' })], film, 2);
    expect(mix?.inputs.map(({ path }) => path)).toEqual(['/w/a.wav', '/w/b.wav']);
    expect(mix?.graph).toMatch(/^anullsrc=sample_rate=48000:channel_layout=stereo,atrim=end_sample=480000\[silence\];\[2:a:0\]/);
    expect(mix?.graph).toMatch(
      /;\[silence\]\[track0\]\[track1\]amix=inputs=3:duration=first:normalize=0,atrim=end_sample=480000\[sound\]$/,
    );
  });

  it('X9: restricts inputs to audio containers and local files', () => {
    const options = planMix([sound({})], film, 1)?.inputs[0]?.options ?? [];
    expect(options.slice(0, 2)).toEqual(['-protocol_whitelist', 'file']);
    expect(options[3]?.split(',')).not.toContain('hls');
    expect(options[3]?.split(',')).not.toContain('concat');
  });

  it('X9: counts start, offset and length in samples', () => {
    const one = sound({ startSeconds: 1.5, offsetSeconds: 0.25, durationSeconds: 2 });
    expect(chain(one)).toEqual([
      ...['aresample=48000', 'aformat=sample_fmts=fltp', 'aformat=channel_layouts=stereo'],
      ...['atrim=start_sample=12000:end_sample=108000', 'asetpts=N/SR/TB', 'adelay=72000S:all=1'],
    ]);
  });

  it('X9: cuts a track that started before the range, after applying its fades', () => {
    const one = sound({ startSeconds: 1, durationSeconds: 4, fadeInSeconds: 0.5, fadeOutSeconds: 1, gainDb: -6 });
    const filters = chain(one, { startSeconds: 3, durationSeconds: 1, filmSeconds: 10 });
    expect(filters.slice(3)).toEqual([
      ...['atrim=start_sample=0:end_sample=192000', 'asetpts=N/SR/TB', 'volume=-6dB'],
      ...['afade=t=in:ss=0:ns=24000', 'afade=t=out:ss=144000:ns=48000'],
      ...['atrim=start_sample=96000', 'asetpts=N/SR/TB'],
    ]);
  });

  it('X9: fades out at the end of the file, the track or the film, whichever comes first', () => {
    const fade = (one: AudioInput) => chain(one).find((filter) => filter.startsWith('afade=t=out'));
    expect(fade(sound({ fadeOutSeconds: 1 }, { durationSeconds: 4 }))).toBe('afade=t=out:ss=144000:ns=48000');
    expect(fade(sound({ fadeOutSeconds: 1, durationSeconds: 2 }))).toBe('afade=t=out:ss=48000:ns=48000');
    expect(fade(sound({ fadeOutSeconds: 1, startSeconds: 8 }))).toBe('afade=t=out:ss=48000:ns=48000');
    // A fade longer than the audible part covers all of it.
    expect(fade(sound({ fadeOutSeconds: 9, durationSeconds: 2 }))).toBe('afade=t=out:ss=0:ns=96000');
  });

  it('X9: omits inaudible tracks, but keeps a silent audio stream', () => {
    const mix = planMix(
      [sound({ startSeconds: 5 }), sound({ durationSeconds: 1 })],
      { ...film, startSeconds: 2, durationSeconds: 1 },
      1,
    );
    expect(mix?.inputs).toEqual([]);
    expect(mix?.graph).toContain('[silence]amix=inputs=1');
  });

  it('X9: plays mono on both channels at full volume', () => {
    expect(chain(sound({}, { channels: 1 }))).toContain('pan=stereo|c0=c0|c1=c0');
    expect(chain(sound({}, { channels: 6 }))).toContain('aformat=channel_layouts=stereo');
  });
});
