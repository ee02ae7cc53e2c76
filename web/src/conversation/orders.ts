import { api } from '../api/client.ts';
import { actionOf, type PressedAction } from '../surface/surface-context.ts';

/** What a panel above the message box asks the studio to do. */
export type Order =
  | { readonly kind: 'action'; readonly surfaceId: string; readonly pressed: PressedAction }
  | { readonly kind: 'plan'; readonly action: 'accept' | 'reject' }
  | { readonly kind: 'accept-preview'; readonly renderFinal: boolean }
  | { readonly kind: 'permission'; readonly approvalId: string; readonly optionId: string }
  | { readonly kind: 'retry' }
  | { readonly kind: 'stop' };

export interface PanelProps {
  readonly busy: boolean;
  readonly give: (order: Order) => void;
  readonly write: () => void;
}

export function carryOut(projectId: string, order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'action':
      return api.act(projectId, actionOf(order.surfaceId, order.pressed));
    case 'plan':
      return api.decidePlan(projectId, { action: order.action });
    case 'accept-preview':
      return api.decidePreview(projectId, { action: 'accept', renderFinal: order.renderFinal });
    case 'permission':
      return api.answer(projectId, { approvalId: order.approvalId, optionId: order.optionId });
    case 'retry':
      return api.retry(projectId);
    case 'stop':
      return api.stop(projectId);
  }
}
