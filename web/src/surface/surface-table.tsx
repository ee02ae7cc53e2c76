import { Fragment, useState } from 'react';
import { tableRows, textIn } from '#contract/surface/drawing.ts';
import type { ComponentOf } from '#contract/surface/surface.ts';
import { Button, cx, Link } from '../ui/elements.tsx';
import { useHasSheet } from '../ui/hooks.ts';
import { OwnLinks } from './own-links.tsx';
import { useScope } from './surface-context.ts';
import { OwnVideo, videoAt } from './surface-video.tsx';

/** A table with more rows scrolls under its head. */
const scrollsFrom = 12;
/** A table with more rows is shown in pages. */
const pageRows = 200;

const isNumber = (cell: string): boolean => /^[-+]?[\d.,\s]+\s?%?$/.test(cell);

const flashing = 'animate-flash motion-reduce:animate-none';

interface DrawnRow {
  readonly cells: readonly string[];
  readonly name: string;
  /** Another one each time the row has changed, so that it flashes again. */
  readonly key: string;
  readonly hasChanged: boolean;
}

/** Tells rows that change while they are shown. Those that are added, and those of another page, have not changed. */
function useDrawnRows(rows: readonly (readonly string[])[], page: number): readonly DrawnRow[] {
  const texts = rows.map((cells) => JSON.stringify(cells));
  const [known, setKnown] = useState({ page, texts, changes: texts.map(() => 0) });
  let { changes } = known;
  if (known.page !== page || texts.join() !== known.texts.join()) {
    changes = texts.map((text, index) => {
      const before = known.page === page ? known.texts[index] : undefined;
      const count = known.page === page ? (known.changes[index] ?? 0) : 0;
      return before === undefined || before === text ? count : count + 1;
    });
    setKnown({ page, texts, changes });
  }
  const names = rowNames(rows);
  return rows.map((cells, index) => ({
    cells,
    name: names[index] ?? '',
    key: `${page} ${index} ${changes[index] ?? 0}`,
    hasChanged: (changes[index] ?? 0) > 0,
  }));
}

const ownPage = /^\/(?:p\/prj_\w+|schedules)$/;

/** `name`: the row's, for a video in it. */
function Cell({ text, name }: { text: string; name: string }) {
  if (ownPage.test(text))
    return (
      <Link href={text} className="text-accent underline underline-offset-2">
        Open
      </Link>
    );
  const video = videoAt(text);
  return video === null ? <OwnLinks text={text} /> : <OwnVideo key={text} video={video} name={name} />;
}

/** Returns a name for each row: its first words, and as many more cells as tell the rows apart. */
function rowNames(rows: readonly (readonly string[])[]): readonly string[] {
  const words = rows.map((cells) =>
    cells.filter((cell) => cell !== '' && !isNumber(cell) && !ownPage.test(cell) && videoAt(cell) === null),
  );
  const most = Math.max(0, ...words.map(({ length }) => length));
  for (let count = 1; count <= most; count += 1) {
    const names = words.map((cells) => cells.slice(0, count).join(', '));
    if (new Set(names).size === names.length) return names;
  }
  return words.map(([first = '']) => first);
}

export function SurfaceTable({ of, row }: { of: ComponentOf<'Table'>; row: string }) {
  const scope = useScope(row);
  const [page, setPage] = useState(0);
  const first = page * pageRows;
  const { rows, total } = tableRows(of, scope, { first, end: first + pageRows });
  const drawn = useDrawnRows(rows, page);
  const isNarrow = useHasSheet();
  const caption = textIn(of.caption, scope);
  const isEnd = of.columns.map(
    ({ align }, index) =>
      align === 'end' || (align === undefined && rows.length > 0 && rows.every((cells) => isNumber(cells[index] ?? ''))),
  );
  const hasVideos = rows.some((cells) => cells.some((cell) => videoAt(cell) !== null));
  const side = (index: number) => (isEnd[index] ? 'text-right tabular-nums' : 'text-left');
  const lastPage = Math.max(0, Math.ceil(total / pageRows) - 1);
  if (page > lastPage) setPage(lastPage);
  const empty = textIn(of.empty, scope);
  return (
    <div className="min-w-0">
      <section
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
        className={cx('overflow-auto rounded-xl border border-line bg-panel', total >= scrollsFrom && 'max-h-96')}
      >
        {isNarrow && of.columns.length > 2 && total > 0 ? (
          <TwoLineRows caption={caption} titles={of.columns.map(({ title }) => textIn(title, scope))} rows={drawn} />
        ) : (
          <table className="w-full border-collapse text-[13px]">
            <caption className="px-3 pt-2.5 pb-1 text-left font-medium">{caption}</caption>
            <thead className="sticky top-0 bg-panel">
              <tr>
                {of.columns.map((column, index) => (
                  <th
                    key={column.path}
                    scope="col"
                    className={cx('border-line border-b px-3 py-1.5 font-medium text-ink-2', side(index))}
                  >
                    {textIn(column.title, scope)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {drawn.map(({ cells, name, key, hasChanged }) => (
                <tr
                  key={key}
                  className={cx(
                    'border-line not-last:border-b',
                    hasVideos ? 'align-middle' : 'align-top',
                    hasChanged && flashing,
                  )}
                >
                  {cells.map((cell, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
                    <td key={index} className={cx('wrap-break-word px-3 py-1.5', side(index))}>
                      <Cell text={cell} name={name} />
                    </td>
                  ))}
                </tr>
              ))}
              {total === 0 && (
                <tr>
                  <td colSpan={of.columns.length} className="px-3 py-5 text-center text-ink-2">
                    {empty === '' ? 'There are no rows.' : empty}
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        )}
      </section>
      {total > pageRows && (
        <div className="mt-1.5 flex items-center justify-end gap-2 text-[13px] text-ink-2 tabular-nums">
          <span role="status">
            {(first + 1).toLocaleString('en')} to {(first + rows.length).toLocaleString('en')} of {total.toLocaleString('en')}
          </span>
          <Button size="sm" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Previous rows
          </Button>
          <Button size="sm" disabled={page === lastPage} onClick={() => setPage(page + 1)}>
            Next rows
          </Button>
        </div>
      )}
    </div>
  );
}

interface TwoLineRowsProps {
  caption: string;
  titles: readonly string[];
  rows: readonly DrawnRow[];
}

/** The rows of a table where its columns have no room: the first cell above the others, and its videos beside them. */
function TwoLineRows({ caption, titles, rows }: TwoLineRowsProps) {
  return (
    <>
      <p className="px-3 pt-2.5 pb-1 font-medium text-[13px]">{caption}</p>
      <ul aria-label={caption} className="divide-y divide-line">
        {rows.map(({ cells, name, key, hasChanged }) => {
          const filled = cells.map((cell, index) => ({ cell, title: titles[index] ?? '' })).filter(({ cell }) => cell !== '');
          const videos = filled.filter(({ cell }) => videoAt(cell) !== null);
          const [first, ...others] = filled.filter((one) => !videos.includes(one));
          return (
            <li key={key} className={cx('flex items-center gap-3 px-3 py-2', hasChanged && flashing)}>
              <div className="min-w-0 flex-1">
                <p className="wrap-anywhere font-medium">{first?.cell}</p>
                <p className="wrap-anywhere text-[13px] text-ink-2">
                  {others.map(({ title, cell }, index) => (
                    <Fragment key={title}>
                      {index > 0 && ', '}
                      {title} <Cell text={cell} name={name} />
                    </Fragment>
                  ))}
                </p>
              </div>
              {videos.map(({ title, cell }) => (
                <Cell key={title} text={cell} name={name} />
              ))}
            </li>
          );
        })}
      </ul>
    </>
  );
}
