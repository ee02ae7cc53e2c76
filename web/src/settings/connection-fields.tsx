import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { type ModelProvider, type ModelSettingsView, modelProviderSchema } from '#contract/settings.ts';
import { TextField } from '../ui/fields.tsx';
import { KeyField } from './key-field.tsx';
import { type ConnectionDraft, type DraftProblem, hasKeptKey, type ModelDraft } from './model-draft.ts';

const providers: Record<ModelProvider, { readonly title: string; readonly text: string }> = {
  director: {
    title: 'Built-in director',
    text: 'Plans and writes films without a model. It is free and needs no key and no network.',
  },
  anthropic: {
    title: 'Anthropic',
    text: 'Claude, with your own key. Koda sends prompts, plans, code and images of the film to Anthropic, which charges your account.',
  },
  server: {
    title: 'Your own server',
    text: 'Any server with the Anthropic Messages API: Ollama, llama.cpp, vLLM, LM Studio, LiteLLM.',
  },
};

interface ProviderChoiceProps {
  value: ModelProvider;
  isFixed: boolean;
  onChange: (value: string) => void;
}

/** Chooses the author of plans and code. */
export function ProviderChoice({ value, isFixed, onChange }: ProviderChoiceProps) {
  const id = useId();
  return (
    <RadioGroup.Root
      aria-label="Provider"
      value={value}
      onValueChange={onChange}
      disabled={isFixed}
      className="overflow-hidden rounded-xl border border-line bg-panel"
    >
      {modelProviderSchema.options.map((name) => (
        <label
          key={name}
          htmlFor={`${id}-${name}`}
          className="flex cursor-pointer items-start gap-3 border-line border-t p-4 first:border-t-0 hover:bg-sunken has-disabled:cursor-default has-disabled:hover:bg-transparent"
        >
          <RadioGroup.Item
            id={`${id}-${name}`}
            value={name}
            aria-labelledby={`${id}-${name}-title`}
            aria-describedby={`${id}-${name}-text`}
            className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-ink-3 bg-panel data-[state=checked]:border-accent data-[state=checked]:bg-accent"
          >
            <RadioGroup.Indicator className="size-1.5 rounded-full bg-accent-ink" />
          </RadioGroup.Item>
          <span className="min-w-0">
            <span id={`${id}-${name}-title`} className="block font-medium text-[13px]">
              {providers[name].title}
            </span>
            <span id={`${id}-${name}-text`} className="mt-0.5 block text-pretty text-[13px] text-ink-2 leading-5">
              {providers[name].text}
            </span>
          </span>
        </label>
      ))}
    </RadioGroup.Root>
  );
}

interface ConnectionFieldsProps {
  draft: ModelDraft;
  view: ModelSettingsView;
  problem: DraftProblem | null;
  onChange: (draft: ModelDraft) => void;
  onSaved: (view: ModelSettingsView) => void;
}

/** Edits the models' address and names. */
export function ConnectionFields({ draft, view, problem, onChange, onSaved }: ConnectionFieldsProps) {
  const { provider } = draft;
  if (provider === 'director') return null;
  const connection = draft[provider];
  const { setBy } = view;
  const isFixed = setBy.connection.length > 0;
  const set = (fields: Partial<ConnectionDraft>) => onChange({ ...draft, [provider]: { ...connection, ...fields } });
  const problemAt = (field: DraftProblem['field']) => (problem?.field === field ? problem.text : null);
  /** A text field that the environment may have set. */
  const field = (name: 'baseUrl' | 'orchestrator' | 'generator' | 'contextTokens', variables: readonly string[]) => ({
    value: connection[name],
    readOnly: variables.length > 0,
    problem: problemAt(name),
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
    aside: variables.length > 0 ? <SetBy variables={variables} /> : null,
  });
  return (
    <div className="grid gap-5">
      {provider === 'server' && (
        <TextField
          {...field('baseUrl', setBy.connection)}
          label="Address"
          hint="Koda’s server sends prompts, code and the key to this address. It can reach addresses that your browser cannot, such as its own network. From a container, this machine is host.docker.internal."
          type="url"
          inputMode="url"
          placeholder="http://host.docker.internal:11434"
        />
      )}
      {!isFixed && (
        <KeyField
          provider={provider}
          value={connection.apiKey}
          isKept={hasKeptKey(draft, view)}
          keyFor={view.keyFor}
          problem={problemAt('apiKey')}
          onChange={(apiKey) => set({ apiKey })}
          onSaved={onSaved}
        />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...field('orchestrator', setBy.orchestrator)}
          label="Main model"
          hint="Talks with you, plans the scenes, and checks the film."
          placeholder={provider === 'anthropic' ? view.defaults.orchestrator : ''}
        />
        <TextField
          {...field('generator', setBy.generator)}
          label="Code model"
          hint="Leave empty to use the main model."
          placeholder="Main model"
        />
      </div>
      {provider === 'server' && (
        <TextField
          {...field('contextTokens', setBy.contextTokens)}
          label="Context, in tokens"
          hint="The limit for a request and its response together. If empty, Koda uses the model’s known limit, or else 32,000. Local servers often allow less than the model supports."
          inputMode="numeric"
          placeholder="Automatic"
          className="max-w-50"
        />
      )}
    </div>
  );
}

function SetBy({ variables }: { variables: readonly string[] }) {
  return <span className="text-ink-2 text-xs">{`Set by the environment: ${variables.join(', ')}`}</span>;
}
