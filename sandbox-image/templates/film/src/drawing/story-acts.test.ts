import { expect, it } from 'vitest';
import { actsByName, type Pose, type Scope } from './story-acts.ts';

const pose: Pose = {
  ...{ x: 500, height: 0, facing: 1, turn: 0, scale: 1, opacity: 1, wide: 1, tall: 1, pivot: 0, seated: 0 },
};
const scope: Scope = {
  ...{ start: pose, size: 200, left: 100, right: 900, ceiling: 400, width: 1000, stride: 1, obstacles: [], clearance: 180 },
  ...{ other: null, seconds: 2, nosed: false, side: null },
};

it('A32: a figure enters from the side, and moves to the side, that its beat names', () => {
  for (const side of [-1, 1] as const) {
    const enter = actsByName.enter({ ...scope, side });
    expect(Math.sign(enter(0).x - 500)).toBe(side);
    expect(enter(1)).toMatchObject({ x: 500, facing: -side });
    const walk = actsByName.walk({ ...scope, side });
    expect(Math.sign(walk(1).x - 500)).toBe(side);
    expect(walk(1).facing).toBe(side);
    expect(Math.sign(actsByName.leave({ ...scope, side })(0.9).x - 500)).toBe(side);
  }
});

it('A32: a figure that stops stays where it is, and one that sits stays lower', () => {
  for (const u of [0, 0.3, 0.7, 1]) expect(actsByName.stop(scope)(u).x).toBe(500);
  expect(Math.abs(actsByName.stop(scope)(1).turn)).toBeLessThan(0.5);
  expect(actsByName.sit(scope)(0).seated).toBe(0);
  expect(actsByName.sit(scope)(1).seated).toBe(1);
});

it('A32: a figure that speaks faces the one that it talks to', () => {
  const other = { pose: { ...pose, x: 200 }, size: 200 };
  expect(actsByName.say({ ...scope, other })(0.5).facing).toBe(-1);
});
