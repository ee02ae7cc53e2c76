import { expect, it } from 'vitest';
import type { Approval, Project } from '#contract/project.ts';
import { sampleRender, sampleSettings } from '../../../../test/fixtures/renders.ts';
import { kindOf } from '../../kinds.ts';
import { detailOf, nextLink as linkOf, stateOfAll, type WorkState, workStateOf } from './what-waits.ts';

type Known = Parameters<typeof linkOf>[0];

const nextLink = (project: Known, from: string | null = null) => linkOf(project, kindOf(project.project.kind), from);

const id = 'prj_0123456789abcdefghjk';
const known = (project: Partial<Project>, more: Partial<Known> = {}): Known => ({
  project: { id, kind: 'animation', phase: 'complete', running: false, error: null, thinking: null, ...project } as Project,
  ...{ approval: null, renders: [], ...more },
});
const question = { type: 'question', content: 'Which city?' } as Approval;
const failed = { code: 'RENDER_FAILED', message: 'The render failed.', canRetry: true };

it.each([
  ['Watch Koda work on it', 'Scene 2 of 5', known({ phase: 'executing', running: true, thinking: 'Scene 2 of 5' })],
  ['Answer its question', 'Which city?', known({ phase: 'question' }, { approval: question })],
  ['Look at the plan', null, known({ phase: 'plan' })],
  ['Watch the preview', null, known({ phase: 'preview' })],
  ['Try the app', null, known({ phase: 'preview', kind: 'app' })],
  ['Open the app', null, known({ kind: 'app' })],
  ['Open the film', null, known({})],
  ['See what failed', 'The render failed.', known({ phase: 'error', error: failed })],
  ['Open the film', null, known({ phase: 'plan', error: { ...failed, code: 'CANCELLED' } })],
] as const)('V7: offers “%s”', (label, detail, project) => {
  expect(nextLink(project)).toEqual({ label, href: `/p/${id}`, isDownload: false });
  expect(detailOf(project)).toBe(detail);
});

it('V7: offers the final video, unless it is being rendered or a preview is newer', () => {
  const render = (kind: 'final' | 'preview', createdAt: string, status: 'complete' | 'running' = 'complete') =>
    sampleRender(id, { status, createdAt, videoUrl: `/${kind}.mp4`, settings: sampleSettings({ kind }) });
  const preview = render('preview', '2026-01-01T00:00:00.000Z');
  const final = render('final', '2026-01-02T00:00:00.000Z');
  const later = render('preview', '2026-01-03T00:00:00.000Z');
  const again = render('final', '2026-01-04T00:00:00.000Z', 'running');
  expect(nextLink(known({}, { renders: [preview, final] }))).toEqual({
    ...{ label: 'Download the video', href: '/final.mp4?download', isDownload: true },
  });
  expect(nextLink(known({}, { renders: [preview, final, later] })).label).toBe('Open the film');
  const rendering = known({}, { renders: [preview, final, later, again] });
  expect(nextLink(rendering).label).toBe('Watch it being rendered');
  expect(workStateOf(rendering)).toBe('started');
  expect(detailOf(rendering)).toBe('Koda is rendering the final video.');
});

it('V7: names the conversation in links to projects, so that they lead back, and not in downloads', () => {
  const from = 'prj_zyxwvtsrqpnmkjhgfedc';
  expect(nextLink(known({ phase: 'plan' }), from).href).toBe(`/p/${id}?from=${from}`);
  const final = sampleRender(id, { status: 'complete', videoUrl: '/final.mp4', settings: sampleSettings({ kind: 'final' }) });
  expect(nextLink(known({}, { renders: [final] }), from).href).toBe('/final.mp4?download');
});

it.each([
  ['started', known({ phase: 'idle' })],
  ['started', known({ phase: 'executing', running: true })],
  ['started', known({ phase: 'plan', running: true })],
  ['waiting', known({ phase: 'question' }, { approval: question })],
  ['waiting', known({ phase: 'executing' }, { approval: { ...question, type: 'permission' } })],
  ['waiting', known({ phase: 'plan' })],
  ['waiting', known({ phase: 'preview' })],
  ['failed', known({ phase: 'error', error: failed })],
  ['stopped', known({ phase: 'plan', error: { ...failed, code: 'CANCELLED' } })],
  ['done', known({ phase: 'complete' })],
] as const)('V7: a project is “%s”', (state, project) => {
  expect(workStateOf(project)).toBe(state);
});

it.each<[WorkState, readonly WorkState[]]>([
  ['done', ['done', 'done']],
  ['done', ['done', 'deleted']],
  ['started', ['done', 'started', 'stopped']],
  ['failed', ['started', 'failed']],
  ['waiting', ['failed', 'waiting', 'done']],
  ['stopped', ['done', 'stopped']],
])('V7: several projects are “%s” together', (state, states) => {
  expect(stateOfAll(states)).toBe(state);
});
