import licences from 'virtual:licences';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { TextField } from '../ui/fields.tsx';

/** Lists the studio's and the server's dependencies with their licences. */
export default function LicenceList() {
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const found = licences.packages.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(wanted));
  return (
    <div className="mt-4">
      <div className="max-w-70">
        <TextField label="Search packages" type="search" value={query} onChange={(event) => setQuery(event.target.value)} />
      </div>
      <p role="status" className="mt-3 text-ink-2 text-xs">
        {found.length === 0 ? `No package matches “${query.trim()}”.` : `${found.length} packages`}
      </p>
      <ul className="mt-2">
        {found.map(({ name, version, licence, parts, text }) => (
          <li
            key={`${name} ${version}`}
            className="border-line border-t [content-visibility:auto] [contain-intrinsic-size:auto_36px]"
          >
            <details className="group">
              <summary className="flex cursor-pointer list-none items-baseline gap-x-2 py-2 text-[13px] [&::-webkit-details-marker]:hidden">
                <ChevronRight className="size-3.5 shrink-0 translate-y-0.5 text-ink-3 transition-transform group-open:rotate-90" />
                <span className="wrap-anywhere min-w-0 flex-1">
                  {name} <span className="text-ink-3">{version}</span>
                </span>
                <span className="shrink-0 text-ink-3 text-xs max-sm:hidden">{parts.join(', ')}</span>
                <span className="max-w-40 shrink-0 truncate text-right text-ink-2 text-xs">{licence}</span>
              </summary>
              <p className="wrap-anywhere mb-3 ml-5.5 whitespace-pre-wrap rounded-lg bg-sunken p-3 font-mono text-[11px] leading-4.5">
                {(text === null ? undefined : licences.texts[text]) ?? 'The package does not include its licence text.'}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </div>
  );
}
