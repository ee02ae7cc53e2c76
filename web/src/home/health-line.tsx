import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { formatBytes } from '../format.ts';
import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';

/** What this installation runs on, and whether it can work. */
export function HealthLine() {
  const health = useQuery({ queryKey: ['health'], queryFn: ({ signal }) => api.health(signal), refetchInterval: 20_000 });
  if (health.isPending) return <Line tone="bg-ink-3" words={[texts.health.checking]} />;
  if (health.isError) return <Line tone="bg-bad" words={[texts.health.down]} />;
  const { status, model, sandbox, circuits, freeDiskBytes } = health.data;
  const trouble = [
    ...(status === 'degraded' && sandbox.detail ? [sandbox.detail] : []),
    ...circuits.filter(({ state }) => state === 'open').map(({ name }) => texts.health.resting(name)),
  ];
  return (
    <Line
      tone={status === 'ok' ? 'bg-ok' : 'bg-warn'}
      words={[
        status === 'ok' ? texts.health.ready : texts.health.degraded,
        ...trouble,
        texts.health.model(model.name),
        texts.health.sandbox(sandbox.kind),
        texts.health.disk(formatBytes(freeDiskBytes)),
      ]}
    />
  );
}

function Line({ tone, words }: { tone: string; words: readonly string[] }) {
  return (
    <p role="status" className="flex items-center gap-2 text-ink-2 text-xs">
      <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', tone)} />
      {words.map((word, index) => (
        <span key={word} className={cx(index > 0 && 'hidden border-line-strong border-l pl-2 md:inline')}>
          {word}
        </span>
      ))}
    </p>
  );
}
