import { describe, expect, it } from 'vitest';
import type { Aspect, FilmScene, FilmText, Subject } from '../../../../contract/film.ts';
import { frameOf } from '../frame.ts';
import { layoutScene } from './layout.ts';

const aspects = ['16:9', '9:16', '1:1', '4:5'] as const satisfies readonly Aspect[];

function text(id: string, position: FilmText['position'], words: string, role: FilmText['role'] = 'title'): FilmText {
  return { id, text: words, role, position, entrance: 'rise', color: null, scale: 1, delaySeconds: 0 };
}

function scene(subjects: readonly Subject[], texts: readonly FilmText[]): FilmScene {
  return {
    id: 'scene-1',
    number: 1,
    title: 'x',
    description: 'x',
    animationNotes: 'x',
    startSeconds: 0,
    durationSeconds: 4,
    source: 'document',
    speed: 1,
    background: null,
    camera: 'static',
    subjects,
    texts,
  };
}

const cube = (id: string, count: number, size = 1): Subject => ({
  id,
  kind: 'cube',
  color: '#ff0000',
  size,
  motion: { type: 'appear' },
  count,
});
const long = 'An extraordinarily long title that goes on and on and refuses to end';

describe.each(aspects)('layout in %s', (aspect) => {
  const frame = frameOf(aspect);

  it.each([1, 2, 5, 8, 20, 60])('%i bodies do not touch one another and stay in the frame', (count) => {
    const [place] = layoutScene(scene([cube('cube-1', count)], [text('t', 'top', 'Title')]), frame).subjects;
    const { places = [], radius = 0 } = place ?? {};
    expect(places.length).toBe(count);
    expect(radius).toBeGreaterThan(0.08);
    places.forEach(([x, y, z], index) => {
      expect(Math.abs(x) + radius).toBeLessThanOrEqual(frame.width / 2 + 0.01);
      for (const [otherX, otherY, otherZ] of places.slice(index + 1)) {
        expect(Math.hypot(x - otherX, y - otherY, z - otherZ)).toBeGreaterThan(radius * 1.8);
      }
    });
  });

  it('different subjects have parts of the frame of their own', () => {
    const { subjects } = layoutScene(
      scene([cube('cube-1', 2), { ...cube('cube-2', 1), size: 2 }, cube('cube-3', 3, 0.5)], []),
      frame,
    );
    const bodies = subjects.flatMap(({ places, radius }) => places.map((place) => ({ place, radius })));
    bodies.forEach(({ place, radius }, index) => {
      for (const other of bodies.slice(index + 1)) {
        expect(Math.hypot(place[0] - other.place[0], place[1] - other.place[1])).toBeGreaterThan((radius + other.radius) * 0.9);
      }
    });
  });

  it.each(['top', 'center', 'bottom'] as const)(
    'text at the %s keeps out of the subject and inside the safe part',
    (position) => {
      for (const words of ['Hi', long]) {
        const { texts, subjects } = layoutScene(
          scene([cube('cube-1', 1)], [text('t', position, words), text('s', position, 'a subtitle', 'subtitle')]),
          frame,
        );
        const area = subjects[0]?.area ?? { left: 0, right: 0, top: 0, bottom: 0 };
        for (const { box } of texts) {
          expect(box.x).toBeGreaterThanOrEqual(frame.text.left);
          expect(box.x + box.width).toBeLessThanOrEqual(frame.text.right + 0.1);
          expect(box.y).toBeGreaterThanOrEqual(frame.text.top - 0.1);
          expect(box.y + box.height).toBeLessThanOrEqual(frame.text.bottom + 0.2);
          const apart =
            box.y + box.height <= area.top || box.y >= area.bottom || box.x + box.width <= area.left || box.x >= area.right;
          expect(apart, `${position} ${words}`).toBe(true);
        }
        const [first, second] = texts;
        if (first && second) expect(second.box.y).toBeGreaterThanOrEqual(first.box.y + first.box.height);
      }
    },
  );
});

describe.each(aspects)('a mark and its name in %s', (aspect) => {
  const frame = frameOf(aspect);
  const mark: Subject = {
    id: 'logo-1',
    kind: 'logo',
    color: '#ff0000',
    size: 1,
    motion: { type: 'appear' },
    src: '/assets/logo.png',
    aspectRatio: 1,
  };

  it('stand close together in the middle', () => {
    const { texts, subjects } = layoutScene(scene([mark], [text('t', 'top', 'Northwind Coffee')]), frame);
    const [name] = texts;
    const [place] = subjects;
    const foot = 50 - (((place?.places[0]?.[1] ?? 0) - (place?.radius ?? 0)) / frame.height) * 100;
    expect((name?.box.y ?? 0) - foot).toBeGreaterThan(3);
    expect((name?.box.y ?? 99) - foot).toBeLessThan(10);
    expect((name?.box.y ?? 0) + (name?.box.height ?? 99)).toBeLessThanOrEqual(frame.text.bottom + 0.2);
    expect(place?.radius).toBeGreaterThan(frame.width * 0.08);
  });

  it('stay apart when the name is very long', () => {
    const { texts, subjects } = layoutScene(scene([mark], [text('t', 'top', long), text('s', 'top', long, 'subtitle')]), frame);
    for (const { box } of texts) {
      const { top = 0, bottom = 0 } = subjects[0]?.area ?? {};
      expect(box.y + box.height <= top || box.y >= bottom).toBe(true);
      expect(box.y + box.height).toBeLessThanOrEqual(frame.text.bottom + 0.2);
    }
  });
});

it('vertical frames keep the lower fifth and the upper eighth free of text', () => {
  expect(frameOf('9:16').text.top).toBeGreaterThanOrEqual(12);
  expect(frameOf('9:16').text.bottom).toBeLessThanOrEqual(80);
});

describe('a solo', () => {
  const ball: Subject = {
    id: 'ball-1',
    kind: 'ball',
    color: '#ff0000',
    size: 1,
    motion: { type: 'bounce', times: 3, height: 0.75 },
    count: 1,
  };
  const frame = frameOf('16:9');

  it('is a good quarter of the frame high and leaves its title the other side', () => {
    const { subjects, texts } = layoutScene(scene([ball], [text('t', 'top', 'Hello')]), frame);
    const [place] = subjects;
    const [title] = texts;
    const share = ((place?.radius ?? 0) * 2) / frame.height;
    expect(share).toBeGreaterThanOrEqual(0.26);
    expect(share).toBeLessThanOrEqual(0.3);
    expect(title?.size).toBeGreaterThanOrEqual(12);
    expect((title?.box.x ?? 0) + (title?.box.width ?? 99)).toBeLessThanOrEqual(place?.area.left ?? 0);
  });

  it('gives way to a title that is too long for half of the frame', () => {
    expect(layoutScene(scene([ball], [text('t', 'top', `${long}, ${long}`)]), frame).texts[0]?.align).toBe('center');
    const { texts, subjects } = layoutScene(scene([ball], [text('t', 'top', 'The future of it all is here today')]), frame);
    expect((texts[0]?.box.x ?? 0) + (texts[0]?.box.width ?? 99)).toBeLessThanOrEqual(subjects[0]?.area.left ?? 0);
  });
});

it('five alike in a tall frame stand in two rows, one subject each, and are larger for it', () => {
  const ball = (id: string): Subject => ({
    id,
    kind: 'ball',
    color: '#ff0000',
    size: 1,
    motion: { type: 'bounce', times: 3, height: 1 },
    count: 1,
  });
  const frame = frameOf('4:5');
  const { subjects } = layoutScene(scene(['b-1', 'b-2', 'b-3', 'b-4', 'b-5'].map(ball), []), frame);
  expect(subjects.map(({ rank, groupSize }) => [rank, groupSize])).toEqual([0, 1, 2, 3, 4].map((rank) => [rank, 5]));
  expect(new Set(subjects.map(({ places }) => places[0]?.[2])).size).toBe(2);
  expect(((subjects[0]?.radius ?? 0) * 2) / frame.width).toBeGreaterThan(0.16);
});
