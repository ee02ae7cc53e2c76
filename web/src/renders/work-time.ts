import type { RenderEstimate } from '../../../server/contract/estimate.ts';
import { formatSecondsLeft } from '../../../server/contract/format.ts';
import { texts } from '../texts.ts';

/** How long a render will take: one time where the same was measured, from and to where it was worked out. */
export function workTime({
  workSeconds,
  workRangeSeconds,
  basis,
  rough,
}: Pick<RenderEstimate, 'workSeconds' | 'workRangeSeconds' | 'basis' | 'rough'>): string {
  if (workSeconds === null || workRangeSeconds === null) return texts.renders.costUnknown;
  const from = formatSecondsLeft(workRangeSeconds.from);
  const to = formatSecondsLeft(workRangeSeconds.to);
  const isMeasured = basis === 'project' && !rough;
  return isMeasured || from === to
    ? texts.renders.costOnMachine(formatSecondsLeft(workSeconds))
    : texts.renders.costRange(from, to);
}
