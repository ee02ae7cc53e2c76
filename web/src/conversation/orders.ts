import type { PlanDraft } from '../../../server/contract/film.ts';
import { api } from '../api/client.ts';

/** The answers and orders that the dock can give. */
export type Order =
  | { readonly kind: 'option'; readonly optionId: string }
  /** `plan`: as the user edited it. */
  | { readonly kind: 'plan'; readonly action: 'accept'; readonly plan: PlanDraft | null }
  | { readonly kind: 'plan'; readonly action: 'reject' }
  | { readonly kind: 'accept-preview' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'stop' };

export function carryOut(projectId: string, order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'option':
      return api.answer(projectId, { optionId: order.optionId });
    case 'plan':
      if (order.action === 'reject') return api.decidePlan(projectId, { action: 'reject' });
      return api.decidePlan(projectId, { action: 'accept', ...(order.plan && { plan: order.plan }) });
    case 'accept-preview':
      return api.decidePreview(projectId, { action: 'accept' });
    case 'retry':
      return api.retry(projectId);
    case 'stop':
      return api.stop(projectId);
  }
}

export interface PanelProps {
  readonly busy: boolean;
  readonly give: (order: Order) => void;
  /** Brings the cursor into the message box. */
  readonly write: () => void;
}
