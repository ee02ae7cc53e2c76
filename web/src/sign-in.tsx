import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { sessionApi } from './api/client.ts';
import { Button, ErrorNotice } from './ui/elements.tsx';
import { TextField } from './ui/fields.tsx';
import { Logo } from './ui/graphics.tsx';

/** Shows the page, or asks for what it needs first. Waits for nothing, because nearly every visitor may use the studio. */
export function SignInGate({ children }: { children: ReactNode }) {
  const session = useQuery({ queryKey: ['session'], queryFn: ({ signal }) => sessionApi.read(signal), staleTime: Infinity });
  if (session.data === undefined || session.data.signedIn) return children;
  return <SignIn needsToken={session.data.needsToken} />;
}

function SignIn({ needsToken }: { needsToken: boolean }) {
  useEffect(() => {
    document.title = 'Sign in – Koda';
  }, []);
  return (
    <main className="mx-auto flex min-h-full w-full max-w-90 flex-col justify-center px-4 pb-24">
      <Logo className="size-10" />
      <h1 className="mt-5 font-semibold text-2xl tracking-tight">{needsToken ? 'Sign in' : 'Open Koda on its own computer'}</h1>
      {needsToken ? (
        <TokenForm />
      ) : (
        <p className="mt-2 text-pretty text-ink-2 text-sm leading-6">
          This studio is for the computer that it runs on. Open it there as http://localhost in a current browser. To use it from
          elsewhere, its operator sets <code className="font-mono text-xs">KODA_ACCESS_TOKEN</code>.
        </p>
      )}
    </main>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  // Discards what the page loaded before the user signed in.
  const signIn = useMutation({ mutationFn: sessionApi.signIn, onSuccess: () => window.location.reload() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(token);
  };
  return (
    <form onSubmit={submit} className="mt-2">
      <p className="mb-5 text-pretty text-ink-2 text-sm leading-6">
        Enter this studio’s access token. Its operator has it. This browser remembers it for 30 days.
      </p>
      <TextField
        label="Access token"
        type="password"
        name="token"
        autoComplete="current-password"
        autoFocus
        required
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      {signIn.error && <ErrorNotice error={signIn.error} className="mt-3" />}
      <Button type="submit" variant="primary" className="mt-4 w-full justify-center" disabled={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
