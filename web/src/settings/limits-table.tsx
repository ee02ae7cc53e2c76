import type { Limit } from '../../../server/contract/settings.ts';
import { texts } from '../texts.ts';
import { limitText } from './limit-text.ts';

/** What this installation allows, and where each is set. */
export function LimitsTable({ limits }: { limits: readonly Limit[] }) {
  const words = texts.settings.limits;
  return (
    <div className="grid gap-6">
      {words.groups.map(({ title, ids }) => (
        <table key={title} className="w-full border-collapse text-[13px]">
          <caption className="pb-1.5 text-left font-medium text-ink-2">{title}</caption>
          <tbody>
            {ids.map((id) => {
              const limit = limits.find((candidate) => candidate.id === id);
              if (!limit) return null;
              return (
                <tr key={id} className="border-line border-t align-baseline max-sm:grid max-sm:grid-cols-[1fr_auto]">
                  <th scope="row" className="py-2 pr-4 text-left font-normal max-sm:pb-0 sm:w-[45%]">
                    {words.names[id]}
                  </th>
                  <td className="py-2 pr-4 tabular-nums max-sm:pr-0 max-sm:pb-0">{limitText(limit)}</td>
                  <td className="wrap-anywhere py-2 text-right text-ink-3 text-xs max-sm:col-span-2 max-sm:pt-0.5 max-sm:text-left">
                    {limit.variable === null ? words.fixed : <code className="font-mono text-[11px]">{limit.variable}</code>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      ))}
    </div>
  );
}
