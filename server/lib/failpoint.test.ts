import { describe, expect, it } from 'vitest';
import { failpointSchema } from './failpoint.ts';

describe('failpoints', () => {
  it('parses a failpoint name with an optional hit count', () => {
    expect(failpointSchema.parse('checkpoint.after-row')).toEqual({ name: 'checkpoint.after-row', hit: 1 });
    expect(failpointSchema.parse('checkpoint.after-row:3')).toEqual({ name: 'checkpoint.after-row', hit: 3 });
  });

  it.each(['checkpoint.after-roww', 'checkpoint.after-row:0', 'checkpoint.after-row:x', 'checkpoint.after-row:1:2', ''])(
    'refuse %j',
    (text) => {
      expect(failpointSchema.safeParse(text).success).toBe(false);
    },
  );
});
