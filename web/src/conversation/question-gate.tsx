import type { Approval } from '../../../server/contract/project.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { texts } from '../texts.ts';
import type { PanelProps } from './orders.ts';
import { Panel } from './panel.tsx';

/** The one question, its answers as cards; a number key picks one. */
export function QuestionGate({ approval, busy, give }: PanelProps & { approval: Approval }) {
  const choose = (optionId: string) => give({ kind: 'option', optionId });
  const byKey = approval.options.slice(0, 9).map(({ id }, index) => [String(index + 1), () => choose(id)] as const);
  useShortcuts(Object.fromEntries(byKey), !busy);
  return (
    <Panel title={texts.gates.question}>
      <p className="text-ink-3 text-xs">{texts.gates.question}</p>
      <p className="mt-1 mb-3 max-h-[24dvh] overflow-y-auto whitespace-pre-wrap wrap-anywhere font-medium">{approval.content}</p>
      <div className="flex max-h-[36dvh] flex-col gap-2 overflow-y-auto p-0.5 -m-0.5">
        {approval.options.map((option, index) => (
          <button
            key={option.id}
            type="button"
            disabled={busy}
            onClick={() => choose(option.id)}
            className="flex items-start gap-3 rounded-xl border border-line-strong px-3.5 py-2.5 text-left transition-colors enabled:hover:border-accent enabled:hover:bg-accent-soft disabled:opacity-50"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{option.label}</span>
              {option.description && <span className="block text-[13px] text-ink-2 leading-5">{option.description}</span>}
            </span>
            {index < 9 && (
              <span
                aria-hidden="true"
                className="mt-0.5 flex size-5 shrink-0 items-center justify-center rounded border border-line-strong font-sans text-[11px] text-ink-3 pointer-coarse:hidden"
              >
                {index + 1}
              </span>
            )}
          </button>
        ))}
      </div>
      <p className="mt-2.5 text-ink-3 text-xs">{texts.gates.questionHint}</p>
    </Panel>
  );
}
