import { useState } from 'react';
import { studioAddress } from '../address.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Choice } from '../ui/fields.tsx';
import { type ClientId, clientConfig, clientIds, clientNames } from './client-configs.ts';

/** Shows how a program is connected to this studio, as text to copy. */
export function ClientConfigs({ token }: { token: string | null }) {
  const [client, setClient] = useState<ClientId>('claude-code');
  const { place, text, note } = clientConfig(client, { address: studioAddress(), token });
  return (
    <div>
      <Choice
        label="Program"
        value={client}
        options={clientIds.map((value) => ({ value, label: clientNames[value] }))}
        onChange={setClient}
      />
      <section aria-label={`Configuration of ${clientNames[client]}`} className="mt-3 rounded-xl border border-line bg-panel">
        <div className="flex items-center justify-between gap-3 border-line border-b py-1 pr-1.5 pl-4">
          <p className="wrap-anywhere min-w-0 text-ink-2 text-xs">{place}</p>
          <CopyButton text={() => text} label="Copy configuration" />
        </div>
        <pre className="wrap-anywhere whitespace-pre-wrap [font-variant-ligatures:none] px-4 py-3 font-mono text-xs leading-5">
          {text}
        </pre>
      </section>
      {note !== null && <p className="mt-2 text-pretty text-ink-2 text-xs">{note}</p>}
    </div>
  );
}
