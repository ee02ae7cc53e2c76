import { describe, expect, it } from 'vitest';
import { SpeedMeter } from './progress.ts';

describe('time left', () => {
  it('A18: is unknown before there is something to go by', () => {
    const meter = new SpeedMeter(100);
    expect(meter.secondsLeft()).toBeNull();
    meter.mark(0, 0);
    meter.mark(5, 100);
    expect(meter.secondsLeft()).toBeNull();
  });

  it('A18: follows the measured speed', () => {
    const meter = new SpeedMeter(100);
    meter.mark(0, 0);
    meter.mark(20, 2000);
    expect(meter.secondsLeft()).toBeCloseTo(8);
  });

  it('A18: forgets how fast an easy beginning was', () => {
    const meter = new SpeedMeter(1000);
    for (let second = 0; second <= 10; second++) meter.mark(second * 50, second * 1000);
    for (let second = 11; second <= 30; second++) meter.mark(500 + (second - 10) * 10, second * 1000);
    expect(meter.secondsLeft()).toBeCloseTo(30, 0);
  });

  it('A18: is unknown while nothing moves', () => {
    const meter = new SpeedMeter(100);
    meter.mark(10, 0);
    meter.mark(10, 5000);
    expect(meter.secondsLeft()).toBeNull();
  });
});
