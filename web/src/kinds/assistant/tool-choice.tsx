import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#contract/display.ts';
import type { ListedTool } from '#kinds/assistant/contract/assistant.ts';
import { useProject } from '../../project/context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/elements.tsx';
import { assistantApi } from './assistant-api.ts';

const effects: readonly { readonly effect: ListedTool['effect']; readonly title: string }[] = [
  { effect: 'reads', title: 'Only read' },
  { effect: 'makes', title: 'Make or change something' },
  { effect: 'deletes', title: 'Delete, and ask first' },
  { effect: 'leaves', title: 'Send something out of Koda' },
];

interface ToolChoiceProps {
  /** Names of the tools that are turned off. */
  off: readonly string[];
  onChange: (off: readonly string[]) => void;
  error?: unknown;
}

/** Button “12 tools”, which opens the list of tools that the conversation may use. */
export function ToolChoice({ off, onChange, error = null }: ToolChoiceProps) {
  const [isOpen, setIsOpen] = useState(false);
  const tools = useQuery({
    queryKey: ['assistant-tools'],
    queryFn: ({ signal }) => assistantApi.tools(signal),
  });
  const known = tools.data ?? [];
  // The server keeps the setting of tools that are unavailable now.
  const offNow = known.filter(({ name }) => off.includes(name)).map(({ name }) => name);
  const count = formatCount(known.length - offNow.length, 'tool');
  if (tools.data === undefined) return null;
  return (
    <>
      <span aria-hidden="true" className="text-[13px] text-ink-2">
        Can use
      </span>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`Can use ${count}`}
        onClick={() => {
          setIsOpen(true);
          void tools.refetch();
        }}
        className="flex h-8 items-center gap-1.5 rounded-lg px-2 font-medium text-[13px] hover:bg-sunken max-pane:h-11 max-pane:flex-none!"
      >
        {count}
        <ChevronDown aria-hidden="true" className="size-3.5" />
      </button>
      <Dialog
        title="What this conversation may use"
        text="For this conversation only. The model is not told of what is off, and Koda refuses its calls. Ready jobs use what they need."
        open={isOpen}
        onClose={() => setIsOpen(false)}
        wide
      >
        <div className="-mx-6 mt-4 -mb-6 min-h-0 flex-1 overflow-y-auto border-line border-t px-6 pb-6">
          {error !== null && <ErrorNotice error={error} className="mt-3" />}
          {effects.map(({ effect, title }) => (
            <EffectList
              key={effect}
              title={title}
              tools={known.filter((tool) => tool.effect === effect)}
              off={offNow}
              onChange={onChange}
            />
          ))}
        </div>
      </Dialog>
    </>
  );
}

interface EffectListProps extends Pick<ToolChoiceProps, 'off' | 'onChange'> {
  title: string;
  tools: readonly ListedTool[];
}

function EffectList({ title, tools, off, onChange }: EffectListProps) {
  if (tools.length === 0) return null;
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 font-medium text-[13px] text-ink-2">{title}</legend>
      <div className="divide-y divide-line rounded-lg border border-line">
        {tools.map((tool) => (
          <label
            key={tool.name}
            className="flex min-h-11 cursor-pointer items-start gap-2.5 px-3 py-2 text-[13px] leading-4.5 hover:bg-sunken"
          >
            <input
              type="checkbox"
              checked={!off.includes(tool.name)}
              onChange={({ target }) =>
                onChange(target.checked ? off.filter((other) => other !== tool.name) : [...off, tool.name])
              }
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="wrap-anywhere min-w-0">
              <span className="font-medium">{tool.title}</span>
              <span className="block text-ink-2 text-xs leading-4.5">{tool.sentence}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Tool choice of an existing conversation. A change takes effect at the model's next step. */
export function ConversationTools() {
  const { projectId } = useProject();
  const client = useQueryClient();
  const key = ['assistant-tools-off', projectId];
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await assistantApi.conversation(projectId, signal)).toolsOff,
  });
  const limiting = useMutation({
    mutationFn: (off: readonly string[]) => assistantApi.limitTools(projectId, off),
    // Runs the requests in order, so that the last choice wins.
    scope: { id: `tools-${projectId}` },
    onMutate: (off) => client.setQueryData(key, off),
    onError: () => client.invalidateQueries({ queryKey: key }),
  });
  if (data === undefined) return null;
  return <ToolChoice off={data} onChange={limiting.mutate} error={limiting.error} />;
}
