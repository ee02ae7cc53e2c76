import { describe, expect, it } from 'vitest';
import { batchText } from './batch-group.tsx';

const counts = { total: 100, waiting: 0, rendering: 0, complete: 96, failed: 4, cancelled: 0 };

describe('a batch as words', () => {
  it('T11: counts finished and failed videos', () => {
    expect(batchText({ counts })).toBe('96 of 100 videos, 4 failed');
    expect(batchText({ counts: { ...counts, failed: 0, complete: 40, cancelled: 60 } })).toBe('40 of 100 videos, 60 cancelled');
    expect(batchText({ counts: { ...counts, total: 1, complete: 1, failed: 0 } })).toBe('1 of 1 video');
  });
});
