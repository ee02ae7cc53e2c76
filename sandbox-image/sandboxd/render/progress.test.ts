import { describe, expect, it } from 'vitest';
import { SpeedMeter } from './progress.ts';

describe('SpeedMeter', () => {
  it('A18: returns null before enough frames are measured', () => {
    const meter = new SpeedMeter(100);
    expect(meter.secondsLeft()).toBeNull();
    meter.record(0, 0);
    meter.record(5, 100);
    expect(meter.secondsLeft()).toBeNull();
  });

  it('A18: estimates from the measured speed', () => {
    const meter = new SpeedMeter(100);
    meter.record(0, 0);
    meter.record(20, 2000);
    expect(meter.secondsLeft()).toBeCloseTo(8);
  });

  it('A18: ignores the speed of an earlier, easier part', () => {
    const meter = new SpeedMeter(1000);
    for (let second = 0; second <= 10; second++) meter.record(second * 50, second * 1000);
    for (let second = 11; second <= 30; second++) meter.record(500 + (second - 10) * 10, second * 1000);
    expect(meter.secondsLeft()).toBeCloseTo(30, 0);
  });

  it('A18: returns null without progress', () => {
    const meter = new SpeedMeter(100);
    meter.record(10, 0);
    meter.record(10, 5000);
    expect(meter.secondsLeft()).toBeNull();
  });
});
