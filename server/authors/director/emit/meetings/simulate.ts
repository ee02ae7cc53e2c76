import { Box, Circle, Edge, Vec2, World } from 'planck';

/** A body of a simulation, in world units, seconds and radians; `x`, `y` = its centre. */
export interface SimulatedBody {
  readonly x: number;
  readonly y: number;
  readonly shape: { readonly radius: number } | { readonly halfWidth: number; readonly halfHeight: number };
  readonly density: number;
  readonly restitution: number;
  readonly friction: number;
  /** At the start; `spin` in radians a second. */
  readonly velocity: { readonly x: number; readonly y: number; readonly spin: number };
}

export interface Sample {
  readonly x: number;
  readonly y: number;
  /** Radians, counter-clockwise; as many turns as were made. */
  readonly angle: number;
}

/** Two bodies, or a body and the floor (`other` null), that begin to touch. */
export interface Contact {
  readonly time: number;
  readonly body: number;
  readonly other: number | null;
  /** Speed at which they approach each other, in units a second. */
  readonly speed: number;
}

export interface Simulation {
  /** By body, one sample every `1 / samplesPerSecond`, the first at 0 s. */
  readonly paths: readonly (readonly Sample[])[];
  readonly contacts: readonly Contact[];
}

interface Surroundings {
  readonly floor: number;
  /** Walls on both sides keep the first `kept` bodies in the frame; what they hit may leave it. */
  readonly kept: number;
  readonly halfWidth: number;
  readonly gravity: number;
  readonly seconds: number;
}

export const samplesPerSecond = 60;
const stepsPerSample = 2;
const step = 1 / (samplesPerSecond * stepsPerSample);
const floorFriction = 0.7;
const category = { free: 0x0002, kept: 0x0004 } as const;
/** Rolling and flying end some time, as air and floor slow everything down. */
const damping = { linear: 0.12, angular: 0.9 };

/** A film may come out of a sandbox: this much is computed at most, which takes about 0.1 s. What is beyond stands still. */
export const limits = { seconds: 4, bodies: 20 } as const;

/** One film is written several times when it is changed. */
const maxKept = 64;
const known = new Map<string, Simulation>();

/**
 * Bodies on a floor, seen from the side, under gravity: planck, which is Box2D in plain JavaScript. It needs no start-up and
 * gives the same numbers each time, so that code stays a function of the film.
 */
export function simulate(bodies: readonly SimulatedBody[], surroundings: Surroundings): Simulation {
  const key = JSON.stringify([bodies, surroundings]);
  const found = known.get(key) ?? computed(bodies.slice(0, limits.bodies), surroundings);
  known.delete(key);
  known.set(key, found);
  const [oldest] = known.keys();
  if (known.size > maxKept && oldest !== undefined) known.delete(oldest);
  return found;
}

function computed(
  bodies: readonly SimulatedBody[],
  { floor, halfWidth, kept, gravity, seconds: wanted }: Surroundings,
): Simulation {
  const seconds = Math.min(wanted, limits.seconds);
  const world = new World({ gravity: new Vec2(0, -gravity) });
  const ground = world.createBody();
  ground.createFixture({ shape: new Edge(new Vec2(-1000, floor), new Vec2(1000, floor)), friction: floorFriction });
  for (const x of [-halfWidth, halfWidth])
    ground.createFixture({
      shape: new Edge(new Vec2(x, floor), new Vec2(x, floor + 1000)),
      friction: 0,
      restitution: 0.2,
      filterMaskBits: category.kept,
    });
  const made = bodies.map(({ x, y, shape, velocity, ...matter }, index) => {
    const body = world.createDynamicBody({
      position: new Vec2(x, y),
      linearVelocity: new Vec2(velocity.x, velocity.y),
      angularVelocity: velocity.spin,
      linearDamping: damping.linear,
      angularDamping: damping.angular,
      bullet: true,
    });
    const fixture = 'radius' in shape ? new Circle(shape.radius) : new Box(shape.halfWidth, shape.halfHeight);
    body.createFixture({ shape: fixture, ...matter, filterCategoryBits: index < kept ? category.kept : category.free });
    return body;
  });
  const contacts: Contact[] = [];
  let time = 0;
  world.on('begin-contact', (contact) => {
    const pair = [contact.getFixtureA().getBody(), contact.getFixtureB().getBody()] as const;
    const [one, other] = pair.map((body) => made.indexOf(body));
    const speed = Vec2.distance(pair[0].getLinearVelocity(), pair[1].getLinearVelocity());
    if (one === undefined || other === undefined) return;
    if (one >= 0) contacts.push({ time, body: one, other: other >= 0 ? other : null, speed });
    else if (other >= 0) contacts.push({ time, body: other, other: null, speed });
  });
  const paths: Sample[][] = made.map(() => []);
  for (let sample = 0; sample <= seconds * samplesPerSecond; sample += 1) {
    made.forEach((body, index) => {
      const { x, y } = body.getPosition();
      paths[index]?.push({ x, y, angle: body.getAngle() });
    });
    for (let index = 0; index < stepsPerSample; index += 1) {
      time += step;
      world.step(step, 8, 4);
    }
  }
  return { paths, contacts };
}
