import { describe, expect, it } from 'vitest';
import { failpointSchema } from './failpoint.ts';

describe('failpoints', () => {
  it('are named with the passage at which to die, or with none for the first', () => {
    expect(failpointSchema.parse('checkpoint.after-row')).toEqual({ name: 'checkpoint.after-row', passage: 1 });
    expect(failpointSchema.parse('checkpoint.after-row:3')).toEqual({ name: 'checkpoint.after-row', passage: 3 });
  });

  it.each(['checkpoint.after-roww', 'checkpoint.after-row:0', 'checkpoint.after-row:x', 'checkpoint.after-row:1:2', ''])(
    'refuse %j',
    (text) => {
      expect(failpointSchema.safeParse(text).success).toBe(false);
    },
  );
});
