import { describe, expect, it } from 'vitest';
import type { InspectReport } from '#contract/sandbox/answers.ts';
import { problemsOf as problemsIn, warningsFor } from './check-film.ts';

const frame = (seconds: number, contrast: number, change: number | null) => ({
  seconds,
  contrast,
  change,
  sha256: String(seconds),
});
const problemsOf = (report: InspectReport, durationSeconds: number) => problemsIn(report, durationSeconds, { whole: true });
const healthy: InspectReport = {
  layout: [],
  seen: null,
  contactSheet: null,
  parameterProblems: [],
  info: { durationSeconds: 4, width: 1920, height: 1080, fps: 60, scenes: [], audio: [], parameters: [] },
  console: [{ level: 'warning', text: 'deprecated' }],
  frames: [frame(0.5, 20, null), frame(1.5, 22, 3), frame(2.5, 21, 4), frame(3.5, 20, 2)],
};

describe('frame problems', () => {
  it('A8: reports nothing for a valid film', () => {
    expect(problemsOf(healthy, 4)).toEqual([]);
  });

  it('A8: reports errors of the page with their messages', () => {
    const report = { ...healthy, console: [{ level: 'error' as const, text: 'x is not defined' }] };
    expect(problemsOf(report, 4)[0]).toContain('x is not defined');
  });

  it('A8: reports the first of many page errors and the number of others', () => {
    const error = { level: 'error' as const, text: 'x is not defined' };
    const problems = problemsOf({ ...healthy, console: Array.from({ length: 500 }, () => error) }, 4);
    expect(problems).toHaveLength(11);
    expect(problems[10]).toContain('490 more');
  });

  it('A8: reports a blank frame in the middle, but allows an empty opening', () => {
    expect(problemsOf({ ...healthy, frames: [frame(0.5, 0.2, null), ...healthy.frames.slice(1)] }, 4)).toEqual([]);
    expect(
      problemsOf(
        { ...healthy, frames: [healthy.frames[0] ?? frame(0, 9, null), frame(1.5, 0.2, 3), ...healthy.frames.slice(2)] },
        4,
      )[0],
    ).toContain('1.50 s');
  });

  it('A8: reports a static film', () => {
    const still = healthy.frames.map((one, index) => ({ ...one, change: index === 0 ? null : 0 }));
    expect(problemsOf({ ...healthy, frames: still }, 4)[0]).toContain('Nothing moves');
  });

  it('A8: reports a length that differs from the plan, and a page that did not become ready', () => {
    expect(problemsOf(healthy, 5)[0]).toContain('4 s');
    expect(problemsOf({ ...healthy, info: null }, 4)[0]).toContain('did not become ready');
  });

  it('A8: describes a layout problem with text, element, scene, time and correction', () => {
    const scenes = [
      { id: 'scene-1', title: '', startSeconds: 0, durationSeconds: 2 },
      { id: 'scene-2', title: '', startSeconds: 2, durationSeconds: 2 },
    ];
    const finding = { selector: 'div.title', text: 'Hello', otherText: null, seconds: [2.5, 3.5] };
    const info = { durationSeconds: 4, width: 1920, height: 1080, fps: 60, scenes, audio: [], parameters: [] };
    const layout = [
      { ...finding, kind: 'text_small' as const, amount: 0.021 },
      { ...finding, kind: 'text_contrast' as const, amount: 2.34 },
      { ...finding, kind: 'text_overlap' as const, amount: 0.4, otherText: 'World' },
    ];
    const [small = '', faint = '', overlap = ''] = warningsFor({ ...healthy, info, layout });
    // These are only warnings, because the author may have intended them.
    expect(problemsOf({ ...healthy, info, layout }, 4)).toEqual([]);
    for (const part of ['“Hello”', 'div.title', '2.50 s, 3.50 s', '"scene-2"', '2.1 %', '3cqmin']) expect(small).toContain(part);
    expect(faint).toContain('2.3 : 1');
    expect(overlap).toContain('“World”');
  });

  it('46.7: describes an empty start, an unused accent, a shrunk text and a touched title, each with its correction', () => {
    const scenes = [
      { id: 'scene-1', title: '', startSeconds: 0, durationSeconds: 2 },
      { id: 'scene-2', title: '', startSeconds: 2, durationSeconds: 2 },
    ];
    const finding = { selector: 'div.title', text: 'Hello', otherText: null, seconds: [3] };
    const info = { durationSeconds: 4, width: 1920, height: 1080, fps: 60, scenes, audio: [], parameters: [] };
    const layout = [
      { ...finding, kind: 'scene_empty' as const, selector: 'scene-2', text: '', seconds: [2.3], amount: 0 },
      { ...finding, kind: 'accent_unused' as const, selector: '', text: '#2563eb', seconds: [], amount: 0 },
      { ...finding, kind: 'text_shrunk' as const, amount: 0.62 },
      { ...finding, kind: 'text_shrunk' as const, amount: 1 },
      { ...finding, kind: 'title_touched' as const, otherText: 'svg > circle', amount: 0.2 },
    ];
    const report = { ...healthy, info, layout };
    const [empty = '', accent = '', shrunk = '', wrapped = '', touched = ''] = warningsFor(report);
    for (const part of ['"scene-2" starts with an empty frame', '2.30 s', 'sooner']) expect(empty).toContain(part);
    expect(accent).toContain('#2563eb, which the user named, is in none');
    expect(shrunk).toContain('62 % of its size');
    expect(wrapped).toContain('more lines than its box needs');
    expect(touched).toContain('svg > circle');
    // A format decides how its scene enters, and what may touch.
    expect(warningsFor(report, ['scene-2'])).toEqual([accent, shrunk, wrapped]);
    expect(problemsOf(report, 4)).toEqual([]);
  });

  it('A8: checks length and motion only of a finished film', () => {
    const still = healthy.frames.map((one, index) => ({ ...one, change: index === 0 ? null : 0 }));
    expect(problemsIn({ ...healthy, frames: still }, 9, { whole: false })).toEqual([]);
    expect(problemsIn({ ...healthy, frames: still }, 9, { whole: true })).toHaveLength(2);
  });
});
