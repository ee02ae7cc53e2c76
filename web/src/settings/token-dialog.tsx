import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { type Scope, scopeSchema } from '#contract/access.ts';
import { api, tokenApi } from '../api/client.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button, ErrorNotice, Waiting } from '../ui/elements.tsx';
import { Choice, Labelled, TextField } from '../ui/fields.tsx';
import { ClientConfigs } from './client-config-view.tsx';

const scopeTexts: Record<Scope, { readonly title: string; readonly text: string }> = {
  read: { title: 'Read', text: 'List and read projects, files, plans and videos' },
  write: { title: 'Change', text: 'Change projects, plans and files' },
  run: { title: 'Run', text: 'Run commands, previews and the browser in the sandbox' },
  render: { title: 'Render', text: 'Render videos' },
};
const lifetimes = { '30': '30 days', '90': '90 days', '365': '1 year', never: 'No expiry' } as const;
type Lifetime = keyof typeof lifetimes;
const dayMs = 86_400_000;

const expiryOf = (lifetime: Lifetime): string | null =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString();

/** Creates a token, then shows its secret once. */
export function TokenDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const create = useMutation({ mutationFn: tokenApi.create, onSuccess: onCreated });
  if (create.data)
    return (
      <Dialog
        open
        title="Save the token now"
        text={`Koda stores only its hash, so “${create.data.token.name}” cannot be shown again after you close this.`}
        onClose={onClose}
      >
        <CreatedToken secret={create.data.secret} />
        <div className="mt-5 flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      open
      title="Create token"
      text="A program with the token can use Koda from any computer that reaches it."
      onClose={onClose}
    >
      <TokenForm create={create} onClose={onClose} />
    </Dialog>
  );
}

function CreatedToken({ secret }: { secret: string }) {
  return (
    <>
      <div className="mt-4 flex items-center gap-2 rounded-lg bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="wrap-anywhere min-w-0 flex-1 font-mono text-xs leading-5">{secret}</code>
        <CopyButton text={() => secret} label="Copy token" />
      </div>
      <div className="mt-5">
        <ClientConfigs token={secret} />
      </div>
    </>
  );
}

interface TokenFormProps {
  create: { mutate: (body: NewToken) => void; isPending: boolean; error: Error | null };
  onClose: () => void;
}
type NewToken = Parameters<typeof tokenApi.create>[0];

function TokenForm({ create, onClose }: TokenFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(scopeSchema.options);
  const [reach, setReach] = useState<'all' | 'some'>('all');
  const [projects, setProjects] = useState<readonly string[]>([]);
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const [isTried, setIsTried] = useState(false);
  const nameProblem = name.trim() === '' ? 'Enter a name, so that you recognise the token later.' : null;
  const choiceProblem = problemOf(scopes, reach === 'some' && projects.length === 0);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsTried(true);
    if (nameProblem !== null) event.currentTarget.querySelector('input')?.focus();
    if (nameProblem !== null || choiceProblem !== null) return;
    const body = { name, scopes: [...scopes], projects: reach === 'all' ? ('all' as const) : [...projects] };
    create.mutate({ ...body, expiresAt: expiryOf(lifetime) });
  };
  return (
    <form onSubmit={submit} noValidate className="mt-4 grid gap-5">
      <TextField
        label="Name"
        placeholder="Claude Code on my laptop"
        maxLength={80}
        value={name}
        problem={isTried ? nameProblem : null}
        onChange={(event) => setName(event.target.value)}
      />
      <CheckList
        legend="Allowed to"
        items={scopeSchema.options.map((id) => ({ id, ...scopeTexts[id] }))}
        chosen={scopes}
        onChange={setScopes}
      />
      <div className="grid gap-3">
        <Labelled text="Projects">
          <Choice
            label="Projects"
            value={reach}
            options={[
              { value: 'all', label: 'All projects' },
              { value: 'some', label: 'Only some' },
            ]}
            onChange={setReach}
          />
        </Labelled>
        {reach === 'some' && <ProjectList chosen={projects} onChange={setProjects} />}
      </div>
      <Labelled text="Expires after">
        <Choice
          label="Expires after"
          value={lifetime}
          options={(Object.keys(lifetimes) as Lifetime[]).map((value) => ({ value, label: lifetimes[value] }))}
          onChange={setLifetime}
        />
      </Labelled>
      {isTried && choiceProblem !== null && (
        <p role="alert" className="text-[13px] text-bad">
          {choiceProblem}
        </p>
      )}
      {create.error && <ErrorNotice error={create.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending && 'Creating…'}>
          Create token
        </Button>
      </div>
    </form>
  );
}

function problemOf(scopes: readonly Scope[], lacksProject: boolean): string | null {
  if (scopes.length === 0) return 'Allow at least one thing.';
  return lacksProject ? 'Choose at least one project.' : null;
}

function ProjectList({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: readonly string[]) => void }) {
  const query = { search: '', state: null, sort: 'changed', cursor: null } as const;
  const list = useQuery({ queryKey: ['token-projects'], queryFn: ({ signal }) => api.listProjects(query, signal) });
  if (list.isPending) return <Waiting>Loading projects…</Waiting>;
  if (list.error) return <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data.items.length === 0) return <p className="text-[13px] text-ink-2">There are no projects yet.</p>;
  return (
    <div>
      <CheckList
        legend="Chosen projects"
        items={list.data.items.map(({ id, name }) => ({ id, title: name, text: null }))}
        chosen={chosen}
        onChange={onChange}
      />
      {list.data.nextCursor !== null && (
        <p className="mt-1 text-ink-2 text-xs">The last changed projects. “koda token create” accepts all others.</p>
      )}
    </div>
  );
}

interface CheckListProps<Id extends string> {
  legend: string;
  items: readonly { id: Id; title: string; text: string | null }[];
  chosen: readonly Id[];
  onChange: (ids: readonly Id[]) => void;
}

function CheckList<Id extends string>({ legend, items, chosen, onChange }: CheckListProps<Id>) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-[13px]">{legend}</legend>
      <div className="max-h-56 overflow-y-auto rounded-lg border border-line">
        {items.map(({ id, title, text }) => (
          <label
            key={id}
            className="flex cursor-pointer items-start gap-2.5 border-line border-t px-3 py-2 text-[13px] first:border-t-0 hover:bg-sunken"
          >
            <input
              type="checkbox"
              name={name}
              checked={chosen.includes(id)}
              onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="wrap-anywhere min-w-0">
              {title}
              {text !== null && <span className="block text-ink-2 text-xs">{text}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
