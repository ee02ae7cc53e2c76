import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { type OutputFlags, outputOptions, type RangeFlags, rangeOptions, renderRequest } from './render-flags.ts';

function flagsOf(line: string): OutputFlags & RangeFlags {
  const command = rangeOptions(outputOptions(new Command())).option('--out <path>').exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  return command.parse(line.split(' ').filter(Boolean), { from: 'user' }).opts();
}
const requested = (line: string) => renderRequest(flagsOf(line));

describe('koda render options', () => {
  it.each([
    ['', { kind: 'final' }],
    ['--resolution 4k --fps 30 --preset youtube', { kind: 'final', resolution: '4k', fps: 30, preset: 'youtube' }],
    [
      '--format webm --crf 30 --size small --transparent --verify',
      { kind: 'final', format: 'webm', crf: 30, fileSize: 'small', transparent: true, verify: true },
    ],
    ['--scene 2', { kind: 'final', range: { scene: 'scene-2' } }],
    ['--scene intro', { kind: 'final', range: { scene: 'intro' } }],
    ['--from 1.5 --to 3', { kind: 'final', range: { fromSeconds: 1.5, toSeconds: 3 } }],
    ['--to 3', { kind: 'final', range: { fromSeconds: 0, toSeconds: 3 } }],
    ['--from 2', { kind: 'final', range: { fromSeconds: 2 } }],
    ['--frames 30-90', { kind: 'final', range: { fromFrame: 30, toFrame: 91 } }],
    ['--frames 0', { kind: 'final', range: { fromFrame: 0, toFrame: 1 } }],
    ['--at 2', { kind: 'final', format: 'png', atSeconds: 2 }],
    ['--at 0 --format jpeg', { kind: 'final', format: 'jpeg', atSeconds: 0 }],
    ['--at 2 --out poster.JPG', { kind: 'final', format: 'jpeg', atSeconds: 2 }],
    ['--out film.gif', { kind: 'final', format: 'gif' }],
    ['--out frames.zip', { kind: 'final', format: 'png-sequence' }],
    ['--out film.webm --format mov', { kind: 'final', format: 'mov' }],
    ['--out film.avi', { kind: 'final' }],
  ])('A17: "%s" is what it says', (line, request) => {
    expect(requested(line)).toEqual(request);
  });

  it('T11: a parameter value may contain =', () => {
    expect(flagsOf('--param title=a=b --param empty=').param).toEqual([
      ['title', 'a=b'],
      ['empty', ''],
    ]);
  });

  it.each([
    '--frames 9-3',
    '--frames x',
    '--from soon',
    '--from -1',
    '--crf 1.5',
    '--param title',
    '--param =x',
    '--fps 29',
    '--format avi',
  ])('A17: "%s" is refused', (line) => {
    expect(() => flagsOf(line)).toThrow();
  });

  it.each(['--scene 1 --frames 0-5', '--scene 1 --from 1', '--frames 0-5 --to 2'])('A17: rejects two ranges: "%s"', (line) => {
    expect(() => requested(line)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
