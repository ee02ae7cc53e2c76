import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import {
  type ModelApi,
  type ModelPath,
  type ModelProvider,
  type ModelSettingsView,
  modelPathSchema,
} from '#contract/settings.ts';
import { inputClass, TextField } from '../ui/fields.tsx';
import { KeyField } from './key-field.tsx';
import { type ConnectionDraft, type DraftProblem, hasKeptKey, type ModelDraft } from './model-draft.ts';

const providers: Record<ModelProvider, { readonly title: string; readonly text: string }> = {
  director: {
    title: 'Without a model',
    text: 'The built-in director plans and writes films. It is free and needs no key and no network.',
  },
  anthropic: {
    title: 'With a key',
    text: 'Claude, a service on the internet. Anthropic receives your text, plans, code and film pictures, and bills you.',
  },
  server: {
    title: 'Your own server',
    text: 'On this computer or elsewhere, with chat completions or the Messages API: Ollama, llama.cpp, vLLM, LM Studio, Jan, LiteLLM, Mistral.',
  },
};

const shownProviders: readonly ModelProvider[] = ['anthropic', 'server', 'director'];

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
      {shownProviders.map((name) => (
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
      {provider === 'server' && (
        <SelectField
          label="API"
          value={setBy.api.length > 0 ? view.api : connection.api}
          options={['chat', 'messages']}
          texts={apis}
          variables={setBy.api}
          className="max-w-70"
          onChange={(api) => set({ api })}
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
      <SelectField
        label="How it makes films"
        // The environment's choice holds for every provider.
        value={setBy.modelPath.length > 0 ? view.modelPath : connection.modelPath}
        options={modelPathSchema.options}
        texts={paths}
        variables={setBy.modelPath}
        className="max-w-50"
        onChange={(modelPath) => set({ modelPath })}
      />
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

export const paths: Record<ModelPath, { readonly title: string; readonly text: string }> = {
  auto: {
    title: 'Automatic',
    text: 'Claude works with tools and writes code. Other models fill Koda’s formats, and write code if you ask for it in your request and their context is large enough.',
  },
  formats: {
    title: 'Formats',
    text: 'One answer fills Koda’s scene formats. It suits small and local models, and takes seconds. Koda’s checks and built-in author catch what goes wrong.',
  },
  code: {
    title: 'Tools and code',
    text: 'The model plans with tools and may draw anything in code. It takes a capable model with a context of at least 28,000 tokens, and a dozen requests for each film.',
  },
};

const apis: Record<ModelApi, { readonly title: string; readonly text: string }> = {
  chat: {
    title: 'Chat completions (OpenAI-style)',
    text: 'What nearly every server speaks. An address without a path stands for its /v1.',
  },
  messages: {
    title: 'Messages (Anthropic-style)',
    text: 'For servers and gateways that offer the API of Claude.',
  },
};

interface SelectFieldProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Value[];
  texts: Record<Value, { readonly title: string; readonly text: string }>;
  variables: readonly string[];
  className: string;
  onChange: (value: Value) => void;
}

/** Selects one of a few values, each with an explanation. The environment may have set it. */
function SelectField<Value extends string>({
  label,
  value,
  options,
  texts,
  variables,
  className,
  onChange,
}: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div className="min-w-0">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="font-medium text-[13px]">
          {label}
        </label>
        {variables.length > 0 && <SetBy variables={variables} />}
      </div>
      <select
        id={id}
        value={value}
        disabled={variables.length > 0}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const chosen = options.find((option) => option === event.target.value);
          if (chosen !== undefined) onChange(chosen);
        }}
        className={`${inputClass} h-9 w-full ${className}`}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {texts[option].title}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="mt-1 text-pretty text-ink-2 text-xs leading-4.5">
        {texts[value].text}
      </p>
    </div>
  );
}

function SetBy({ variables }: { variables: readonly string[] }) {
  return <span className="text-ink-2 text-xs">{`Set by the environment: ${variables.join(', ')}`}</span>;
}
