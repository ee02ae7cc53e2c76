import { FileUp, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type SqlResponse, sqlResponseSchema } from '../model/api.ts';
import data from './data/use-data.ts';
import { useDocument } from './document.ts';
import { dataPath } from './router.ts';
import { PageFrame } from './shell/page-frame.tsx';
import { Button } from './ui/button.tsx';
import { importFile } from './views/import-table.tsx';
import { Table } from './views/table.tsx';

/** All fields of a list's records, whatever the app's views show. */
export function DataBrowser({ part }: { readonly part: string }) {
  const { lists } = useDocument();
  const list = lists.find(({ id }) => id === part);
  if (part === '_sql') return <Query />;
  if (list === undefined) return <h1 className="px-6 pt-4 text-xl">{`The app has no list “${part}”.`}</h1>;
  return (
    <PageFrame
      id={dataPath}
      name={list.name}
      actions={
        <>
          <DeleteSamples list={list.id} />
          <Button icon={FileUp} onClick={() => importFile(list.id)}>
            Import
          </Button>
        </>
      }
    >
      <Table view="table" id={list.id} list={list.id} />
    </PageFrame>
  );
}

function DeleteSamples({ list }: { readonly list: string }) {
  const samples = data.useRecords(list).filter(({ sample }) => sample);
  if (samples.length === 0) return null;
  return (
    <Button
      icon={Trash2}
      onClick={() =>
        data.change(
          'Deleted the sample data',
          samples.map(({ id }) => ({ op: 'delete', list, id })),
        )
      }
    >
      Delete sample data
    </Button>
  );
}

async function ask(query: string): Promise<SqlResponse> {
  const response = await fetch('/api/sql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const body: unknown = await response.json();
  if (response.ok) return sqlResponseSchema.parse(body);
  const { error } = body as { error?: { message?: string } };
  throw new Error(error?.message ?? `The server answered with ${response.status}.`);
}

/** SQL that reads. Each list is a table, and each field a column, with `_` for `-`. */
function Query() {
  const { lists } = useDocument();
  const [query, setQuery] = useState(() => `SELECT * FROM "${(lists[0]?.id ?? '').replaceAll('-', '_')}" LIMIT 100`);
  const [result, setResult] = useState<SqlResponse | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    setProblem(null);
    try {
      setResult(await ask(query));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 p-6">
      <h1 className="text-xl">SQL</h1>
      <label className="flex flex-col gap-1 text-ink-2 text-sm">
        A query that reads. Control and Enter run it; it stops after 5 seconds and 1,000 rows.
        <textarea
          className="min-h-24 rounded-md border border-line-strong bg-panel p-3 font-mono text-ink"
          spellCheck={false}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run();
          }}
        />
      </label>
      <div>
        <Button kind="primary" icon={Play} disabled={isRunning} onClick={() => void run()}>
          {isRunning ? 'Running…' : 'Run'}
        </Button>
      </div>
      <div role="status" className="min-h-0 flex-1 overflow-auto">
        {problem !== null && <p className="text-bad">{problem}</p>}
        {problem === null && result !== null && <Rows result={result} />}
      </div>
    </div>
  );
}

function Rows({ result: { columns, rows, more } }: { readonly result: SqlResponse }) {
  return (
    <>
      <p className="pb-2 text-ink-2 text-sm">{`${rows.length.toLocaleString('en')}${more ? ' of more' : ''} ${rows.length === 1 ? 'row' : 'rows'}`}</p>
      <table className="border-collapse text-sm">
        <thead>
          <tr>
            {columns.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a query may return two columns of one name.
              <th key={index} scope="col" className="border border-line px-2 py-1 text-start">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no identity.
            <tr key={index}>
              {row.map((value, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change.
                <td key={column} className="border border-line px-2 py-1 tabular-nums">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
