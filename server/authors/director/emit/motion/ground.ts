import { round } from '../frame.ts';
import { joinStops, type KeyStop, stop } from '../keyframes.ts';
import { type Body, enteredAt, type MotionKeys, type Touch } from './body.ts';
import { breathe, rocking, settle } from './rest.ts';

/** A fall of half a frame's height is what the manner's fall time is made for; others follow the square root. */
function fallSecondsFrom(height: number, { manner, frame, timing }: Body): number {
  return (manner.fallSeconds * Math.sqrt(height / (frame.height * 0.5))) / timing.speed;
}

/** Degrees that a ball turns while it rolls this far to the right. */
export function rollDegrees(distance: number, radius: number): number {
  return round((-distance / radius) * (180 / Math.PI), 1);
}

/** An impact: stretched by the speed before it, flat in its middle, stretched again when it leaves. */
export function impact(time: number, contactSeconds: number, strength: number, { manner }: Body): KeyStop[] {
  const flat = round(1 - (1 - manner.impactSquash) * strength);
  const stretch = round(1 + 0.4 * (1 - manner.impactSquash) * strength);
  return [
    stop(round(time), stretch, 'easeInCubic'),
    stop(round(time + contactSeconds / 2), flat, 'easeOutCubic', 'squash'),
    stop(round(time + contactSeconds), stretch, 'easeInOutCubic'),
  ];
}

/**
 * Falls from its highest point and touches the ground `times` times. Between touches it flies exact
 * parabolas: each height is the one before × e², each flight time × e.
 */
export function bounce(times: number, height: number, body: Body): MotionKeys {
  const { manner, timing } = body;
  const touches = Math.max(1, Math.round(times));
  const top = round(body.headroom * Math.min(1, height));
  // Many bounces must not die away before the last one is seen.
  const e = touches > 4 ? Math.max(manner.restitution, 0.035 ** (1 / (2 * (touches - 1)))) : manner.restitution;
  const dropAt = timing.first ? 0.12 : 0.3;
  const flights = Array.from({ length: touches - 1 }, (_, index) => e ** (index + 1));
  const contacts = manner.contactSeconds * (touches - 1);
  const natural = fallSecondsFrom(top, body);
  const falls = 1 + 2 * flights.reduce((sum, flight) => sum + flight, 0);
  const room = Math.max(0.5, Math.min(body.exitAt, timing.settledBy + 0.4) - dropAt - contacts - 0.35);
  // Slower than natural only a little, faster as much as the scene demands.
  const fall = Math.min(natural * 1.3, Math.max(Math.min(natural, room / falls), (0.72 * room) / falls));

  const y: KeyStop[] = [stop(0, top, null, 'waits at the top'), stop(round(dropAt), top, 'linear')];
  const squash: KeyStop[] = [stop(0, 1), stop(round(dropAt + fall * 0.5), 1, 'linear')];
  let time = dropAt + fall;
  const landings: Touch[] = [{ time: round(time), strength: 1 }];
  y.push(stop(round(time), 0, 'fall', touches === 1 ? 'lands' : 'first touch'));
  flights.forEach((flight, index) => {
    squash.push(...impact(time, manner.contactSeconds, e ** index, body));
    time += manner.contactSeconds;
    y.push(stop(round(time), 0, 'linear'));
    time += fall * flight;
    y.push(stop(round(time), round(top * flight ** 2), 'rise'));
    squash.push(stop(round(time), 1, 'easeOutCubic'));
    time += fall * flight;
    y.push(stop(round(time), 0, 'fall', index === touches - 2 ? 'last touch' : `touch ${index + 2}`));
    landings.push({ time: round(time), strength: round(flight, 2) });
  });
  squash.push(stop(round(time), round(1 + 0.3 * (1 - manner.impactSquash) * e ** (touches - 1)), 'easeInCubic'));
  squash.push(...settle(time, e ** (touches - 1), body), ...breathe(time + 0.6, body));

  const comment =
    touches === 1 ? 'Falls and lands once.' : `${touches} touches; every height is ${round(e * e, 2)} of the one before.`;
  // The first moment of a playful film is a ball about to fall, not one that still grows.
  const keys = { comment, y, squash, touches: landings, ownEntrance: timing.first && body.playful };
  if (!body.alone || !body.playful || body.sideroom < body.radius) return keys;
  return { ...keys, ...wander(dropAt, time, body) };
}

/** A ball that bounces also travels: evenly in the air, rolling out after the last touch. */
function wander(from: number, lastTouch: number, body: Body): Pick<MotionKeys, 'x' | 'rotateZ'> {
  const rollSeconds = Math.max(0.7, Math.min(1.8, (body.timing.settledBy - lastTouch) * 0.75)) / body.timing.speed;
  const way = Math.min(body.sideroom, body.frame.width * 0.26);
  // Rolls a little too far and rocks back, ever less, as on a floor that is not quite even.
  const past = round(body.radius * 0.3);
  const speed = (way + past) / (lastTouch - from + rollSeconds / 2);
  const still = lastTouch + rollSeconds;
  const x = [
    stop(0, -round(way)),
    stop(round(from), -round(way), 'linear'),
    stop(round(lastTouch), round(past - (speed * rollSeconds) / 2), 'linear'),
    stop(round(still), past, 'rise', 'rolls out'),
    ...rocking(still, past, body),
  ];
  return { x, rotateZ: x.map((key) => ({ ...key, value: rollDegrees(key.value, body.radius), note: null })) };
}

/** Falls from above the frame and comes to rest after two small bounces. */
export function drop(body: Body): MotionKeys {
  const { manner, timing, frame } = body;
  // The first frame of a film is not empty: there the body already hangs at the top of the frame.
  const top = round(timing.first ? body.headroom : frame.height * 0.5 - body.y + body.halfHeight * 2.2);
  const fall = fallSecondsFrom(top, body);
  const start = timing.first ? 0.18 : 0;
  const contact = manner.contactSeconds;
  const small = manner.restitution * 0.42;
  const landing = start + fall;
  const y = [stop(0, top)];
  if (start > 0) y.push(stop(start, top, 'linear'));
  y.push(stop(round(landing), 0, 'fall', 'lands'));
  const touches: Touch[] = [{ time: round(landing), strength: 1 }];
  let time = landing;
  for (const flight of [small, small * 0.5]) {
    time += contact;
    y.push(stop(round(time), 0, 'linear'));
    time += fall * flight;
    y.push(stop(round(time), round(top * flight ** 2), 'rise'));
    time += fall * flight;
    y.push(stop(round(time), 0, 'fall'));
    touches.push({ time: round(time), strength: round(flight, 2) });
  }
  const second = landing + contact + 2 * fall * small;
  const squash = [
    stop(0, 1),
    stop(round(landing * 0.6), 1, 'linear'),
    ...impact(landing, contact, 1, body),
    stop(round(landing + contact + fall * small), 1, 'easeOutCubic'),
    stop(round(second), 1.03, 'easeInCubic'),
    ...settle(second, 0.35, body),
    ...breathe(second + 0.7, body),
  ];
  return { comment: 'Falls from above and settles.', y, squash, touches, ownEntrance: true };
}

/** Crouches, jumps, lands, and gathers itself for the next one. */
export function jump(times: number, height: number, body: Body): MotionKeys {
  const { manner, timing } = body;
  const jumps = Math.max(1, Math.round(times));
  const top = round(body.headroom * Math.min(1, 0.62 * height));
  const natural = fallSecondsFrom(top, body) * 0.95;
  const from = enteredAt(body) + 0.15;
  const room = Math.max(0.6, timing.settledBy + 0.3 - from);
  const crouch = 0.26 / timing.speed;
  const rest = 0.3 / timing.speed;
  const scale = Math.min(1.2, room / (jumps * (crouch + 2 * natural + rest)));
  const [air, gather, pause] = [natural * scale, crouch * scale, rest * scale];
  const y: KeyStop[] = [stop(0, 0)];
  const squash: KeyStop[] = [stop(0, 1)];
  const low = round(1 - (1 - manner.impactSquash) * 0.9);
  const touches: Touch[] = [];
  let time = from;
  for (let index = 0; index < jumps; index += 1) {
    squash.push(
      stop(round(time), 1, 'linear'),
      stop(round(time + gather * 0.75), low, 'easeOutCubic', 'crouches'),
      stop(round(time + gather), 1.1, 'easeInCubic'),
    );
    y.push(
      stop(round(time + gather), 0, 'linear', jumps > 1 ? `jump ${index + 1}` : 'jumps'),
      stop(round(time + gather + air), top, 'rise'),
      stop(round(time + gather + 2 * air), 0, 'fall'),
    );
    touches.push({ time: round(time + gather + 2 * air), strength: 0.8 });
    squash.push(stop(round(time + gather + air), 1, 'easeOutCubic'), stop(round(time + gather + 2 * air), 1.08, 'easeInCubic'));
    squash.push(
      ...settle(time + gather + 2 * air, 0.9, body).filter(
        (key) => key.time < time + gather + 2 * air + pause + (index === jumps - 1 ? 9 : 0),
      ),
    );
    time += gather + 2 * air + pause;
  }
  squash.push(...breathe(time + 0.3, body));
  return {
    comment: jumps === 1 ? 'One jump, with a crouch before and after.' : `${jumps} jumps, with a crouch before each.`,
    y: joinStops(y),
    squash: joinStops(squash),
    touches,
  };
}

/** Rolls in from one side, rests, and (unless the film ends here) rolls on. Its turning follows its path. */
export function roll(direction: 'left' | 'right', body: Body): MotionKeys {
  return body.square ? tumble(direction, body) : rollRound(direction, body);
}

function rollRound(direction: 'left' | 'right', body: Body): MotionKeys {
  const { frame, timing, exitAt, radius } = body;
  const sign = direction === 'right' ? 1 : -1;
  const inWay = frame.width / 2 + radius * 1.3 + sign * body.x;
  const outWay = frame.width / 2 + radius * 1.6 - sign * body.x;
  const inSeconds = Math.min(1.9 / timing.speed, exitAt * 0.5);
  const entry = timing.first ? inWay * 0.78 : inWay;
  const x = [stop(0, round(-sign * entry))];
  if (timing.last) {
    // Rolls a little too far and rocks back, as on a floor that is not quite even.
    const past = round(sign * radius * (body.playful ? 0.3 : 0.1));
    x.push(stop(round(inSeconds), past, 'easeOutCubic'), ...rocking(inSeconds, past, body));
  } else {
    const slow = sign * radius * 0.5;
    const outSeconds = Math.min(1.1 / timing.speed, exitAt * 0.35);
    const end = timing.durationSeconds;
    x.push(
      stop(round(inSeconds), round(-slow), 'easeOutCubic', 'slows down'),
      stop(round(end - outSeconds), round(slow), 'linear'),
      stop(round(end), round(sign * outWay), 'easeInCubic', 'rolls away'),
    );
  }
  const rotateZ = x.map((key) => ({ ...key, value: rollDegrees(key.value, radius), note: null }));
  return {
    comment: `Rolls in from the ${direction === 'right' ? 'left' : 'right'}; one turn is one circumference of the way.`,
    x,
    rotateZ,
    ownEntrance: true,
    ownExit: !timing.last,
  };
}

/** Seen over its corner a box is a body, seen from the front a square: degrees that its path turns to the camera. */
const tumbleYaw = 30;

/**
 * A box cannot roll: it tips over its edges, a quarter turn for each of its lengths. When it has the floor to
 * itself it comes from the back of the stage, so that it rests with two sides and its top in view.
 */
function tumble(direction: 'left' | 'right', body: Body): MotionKeys {
  const { frame, timing, halfHeight } = body;
  const sign = direction === 'right' ? 1 : -1;
  const edge = halfHeight * 2;
  const yaw = body.alone && body.lane === 0 ? tumbleYaw : 0;
  const [along, away] = [Math.cos((yaw * Math.PI) / 180), Math.sin((yaw * Math.PI) / 180)];
  // The frame is wider at the back: by the distance of the camera, 1.87 heights for its field of view of 30°.
  const widening = away * (frame.width / 2 / (frame.height * 1.87));
  const way = (frame.width / 2 + edge + sign * body.x) / Math.max(0.3, along - widening);
  const quarters = Math.max(2, Math.ceil(way / edge) - (timing.first ? 1 : 0));
  const beat = Math.min(0.42 / timing.speed, timing.settledBy / quarters);
  // Over its edge the centre rises from half an edge to half a diagonal.
  const lift = round(edge * (Math.SQRT1_2 - 0.5));
  const start = quarters * edge;
  const x: KeyStop[] = [stop(0, round(-sign * start * along))];
  const z: KeyStop[] = [stop(0, round(-start * away))];
  const y: KeyStop[] = [stop(0, 0)];
  const rotateZ: KeyStop[] = [stop(0, round(sign * quarters * 90))];
  for (let quarter = 1; quarter <= quarters; quarter += 1) {
    const end = round(quarter * beat);
    const left = quarters - quarter;
    x.push(stop(end, round(-sign * left * edge * along), 'easeInOutCubic', left === 0 ? 'comes to rest' : null));
    z.push(stop(end, round(-left * edge * away), 'easeInOutCubic'));
    rotateZ.push(stop(end, round(sign * left * 90), 'easeInOutCubic'));
    y.push(stop(round(end - beat / 2), lift, 'easeInOutCubic'), stop(end, 0, 'fall'));
  }
  const turned = yaw === 0 ? {} : { z, rotateY: [stop(0, -sign * yaw)] };
  const touches = [{ time: round(quarters * beat), strength: 0.6 }];
  return { comment: `Tips over its edges, ${quarters} quarter turns.`, x, y, rotateZ, ...turned, touches, ownEntrance: true };
}
