import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type McpServer, type McpSettings, mcpServerRequestSchema, serverNameSchema } from '#contract/mcp-servers.ts';
import { mcpServerApi } from '../api/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Button, ErrorNotice } from '../ui/elements.tsx';
import { TextField } from '../ui/fields.tsx';

interface DialogProps {
  /** `null` for a new server. */
  server: McpServer | null;
  onSaved: (view: McpSettings) => void;
  onClose: () => void;
}

export function McpServerDialog({ server, onSaved, onClose }: DialogProps) {
  const [name, setName] = useState(server?.name ?? '');
  const [url, setUrl] = useState(server?.address ?? '');
  const [token, setToken] = useState('');
  const [isTried, setIsTried] = useState(false);
  const problems = problemsOf({ name, url, token });
  const isValid = Object.values(problems).every((problem) => problem === null);
  const body = { url: url.trim(), ...(token.trim() !== '' && { token: token.trim() }) };
  const test = useMutation({ mutationFn: () => mcpServerApi.test(name.trim(), body) });
  const save = useMutation({
    mutationFn: () => mcpServerApi.save(name.trim(), body),
    onSuccess: (view) => {
      onSaved(view);
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsTried(true);
    if (isValid) save.mutate();
    else event.currentTarget.querySelector('input')?.focus();
  };
  const tryOut = () => {
    setIsTried(true);
    if (isValid) test.mutate();
  };
  const shown = (problem: string | null) => (isTried ? problem : null);
  return (
    <Dialog
      open
      title={server === null ? 'Add server' : `Change “${server.name}”`}
      text="An MCP server that answers over HTTP. Servers that run as a command are listed in a file on the computer that runs Koda."
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate className="mt-4 grid gap-5">
        {server === null && (
          <TextField
            label="Name"
            placeholder="brand-assets"
            maxLength={24}
            value={name}
            problem={shown(problems.name)}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <TextField
          label="Address"
          placeholder="https://mcp.example.com/mcp"
          inputMode="url"
          value={url}
          problem={shown(problems.url)}
          onChange={(event) => setUrl(event.target.value)}
        />
        <TextField
          label="Token, if the server requires one"
          hint={
            server?.hasToken
              ? 'A token is set. Leave this empty to keep it; for another address, enter it again.'
              : 'Koda stores the token, never shows it again, and sends it to this address only. Backups exclude it.'
          }
          // Masked, but not a password for the browser to save.
          type="password"
          autoComplete="new-password"
          data-1p-ignore=""
          data-lpignore="true"
          value={token}
          problem={shown(problems.token)}
          onChange={(event) => setToken(event.target.value)}
          className="font-mono"
        />
        {test.data && (
          <p role="status" className="text-[13px] text-ok">
            Connected: the server offers {test.data.tools} tool{test.data.tools === 1 ? '' : 's'}.
          </p>
        )}
        {test.error && <ErrorNotice error={test.error} onDismiss={() => test.reset()} />}
        {save.error && <ErrorNotice error={save.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={tryOut} pending={test.isPending && 'Testing…'}>
            Test connection
          </Button>
          <Button type="submit" variant="primary" pending={save.isPending && 'Saving…'}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const messageIn = (result: { error?: { issues: readonly { message: string }[] } | undefined }) =>
  result.error?.issues[0]?.message ?? null;

function problemsOf({ name, url, token }: { name: string; url: string; token: string }) {
  const { shape } = mcpServerRequestSchema;
  return {
    name: messageIn(serverNameSchema.safeParse(name)),
    url: messageIn(shape.url.safeParse(url.trim())),
    token: token.trim() === '' ? null : messageIn(shape.token.safeParse(token)),
  };
}
