import type { ModelSettingsView } from '../../../server/contract/settings.ts';
import { texts } from '../texts.ts';
import { TextField } from '../ui/text-field.tsx';
import { KeyField } from './key-field.tsx';
import { type ConnectionDraft, type DraftProblem, hasKeptKey, type ModelDraft } from './model-draft.ts';

const words = texts.settings.model;

interface ConnectionFieldsProps {
  draft: ModelDraft;
  view: ModelSettingsView;
  problem: DraftProblem | null;
  onChange: (draft: ModelDraft) => void;
  onSaved: (view: ModelSettingsView) => void;
}

/** Where models are asked, and which of them. */
export function ConnectionFields({ draft, view, problem, onChange, onSaved }: ConnectionFieldsProps) {
  const { provider } = draft;
  if (provider === 'director') return null;
  const connection = draft[provider];
  const { setBy } = view;
  const isFixed = setBy.connection.length > 0;
  const set = (fields: Partial<ConnectionDraft>) => onChange({ ...draft, [provider]: { ...connection, ...fields } });
  const problemAt = (field: DraftProblem['field']) => (problem?.field === field ? problem.text : null);
  /** A line of text that the environment may have set. */
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
          label={words.address}
          hint={words.addressHint}
          type="url"
          inputMode="url"
          placeholder={words.addressExample}
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
          label={words.orchestrator}
          hint={words.orchestratorHint}
          placeholder={provider === 'anthropic' ? view.defaults.orchestrator : ''}
        />
        <TextField
          {...field('generator', setBy.generator)}
          label={words.generator}
          hint={words.generatorHint}
          placeholder={words.sameModel}
        />
      </div>
      {provider === 'server' && (
        <TextField
          {...field('contextTokens', setBy.contextTokens)}
          label={words.context}
          hint={words.contextHint}
          inputMode="numeric"
          placeholder={words.contextUnknown}
          className="max-w-50"
        />
      )}
    </div>
  );
}

function SetBy({ variables }: { variables: readonly string[] }) {
  return <span className="text-ink-2 text-xs">{words.setBy(variables)}</span>;
}
