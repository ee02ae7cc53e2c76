import { Code, Gauge, Image, type LucideIcon, MessageCircle, RotateCcw, Ruler, Square, Wrench } from 'lucide-react';
import { formatDurationMs } from '#contract/display.ts';
import {
  type ModelServerKind,
  type ModelTestStep,
  type ModelTestStepId,
  type ModelVerdict,
  modelServerPrograms,
} from '#contract/model-servers.ts';
import { Button, cx, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { CommandLine } from './command-line.tsx';
import { paths } from './connection-fields.tsx';
import { type ConnectionDraft, isAdvised } from './model-draft.ts';
import type { ModelTestState } from './use-model-test.ts';

const stepNames: Record<ModelTestStepId, string> = {
  answers: 'Answers',
  'code-model': 'Code model answers',
  tools: 'Tools',
  context: 'Context really used',
  pictures: 'Pictures',
  speed: 'Speed',
};
const stepIcons: Record<ModelTestStepId, LucideIcon> = {
  answers: MessageCircle,
  'code-model': Code,
  tools: Wrench,
  context: Ruler,
  pictures: Image,
  speed: Gauge,
};
const figureColours: Record<ModelTestStep['state'], string> = {
  waiting: 'text-ink-3',
  running: 'text-ink-2',
  good: 'text-ok',
  limited: 'text-warn',
  failed: 'text-bad',
};

interface ModelTestPanelProps {
  test: ModelTestState;
  connection: ConnectionDraft;
  isService: boolean;
  /** Program behind the connection's address, if Koda has found it. */
  program: ModelServerKind | null;
  onRun: () => void;
  onApply: (fields: Partial<ConnectionDraft>) => void;
}

/** Tests the chosen model, and says what it is good for. */
export function ModelTestPanel({ test, connection, isService, program, onRun, onApply }: ModelTestPanelProps) {
  const { result, error, isPending, clear } = test;
  const name = result?.model ?? connection.orchestrator.trim();
  const verdict = result?.verdict ?? null;
  return (
    <section aria-labelledby="model-test-title" className="min-w-0 rounded-xl border border-line bg-panel p-4 xl:sticky xl:top-6">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 id="model-test-title" className="wrap-anywhere font-semibold text-sm">
            {name === '' ? 'Test' : `Test of ${name}`}
          </h3>
          <p className="text-ink-2 text-xs">{leadOf({ test, isService })}</p>
        </div>
        {isPending && (
          <Button size="sm" icon={Square} onClick={clear}>
            Stop
          </Button>
        )}
        {!isPending && (
          <Button size="sm" {...(result && { icon: RotateCcw })} onClick={onRun}>
            {result ? 'Test again' : 'Test'}
          </Button>
        )}
      </div>
      {error && <ErrorNotice error={error} onDismiss={clear} className="mt-3" />}
      {result && (
        <ul aria-label="Test results" className="mt-3">
          {result.steps.map((step) => (
            <Step key={step.id} step={step} />
          ))}
        </ul>
      )}
      {verdict && <Verdict verdict={verdict} connection={connection} program={program} onApply={onApply} />}
      <p role="status" className="sr-only">
        {announcementOf(test)}
      </p>
    </section>
  );
}

function leadOf({ test, isService }: { test: ModelTestState; isService: boolean }): string {
  const { result, isPending } = test;
  if (isPending) return 'Testing…';
  if (result) return `Measured just now, in ${formatDurationMs(result.durationMs)}`;
  return isService
    ? 'Two or three short requests, which Anthropic bills.'
    : 'Measures tools, context, pictures and speed with about 25,000 tokens. It takes a minute or two, and saves nothing.';
}

function announcementOf({ result, isPending }: ModelTestState): string {
  if (result?.verdict) return `The test is done. ${result.verdict.sentences.join(' ')}`;
  const running = result?.steps.find(({ state }) => state === 'running');
  return isPending && running ? `Testing: ${stepNames[running.id]}` : '';
}

function Step({ step: { id, state, figure, text } }: { step: ModelTestStep }) {
  const Icon = stepIcons[id];
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-2.5 border-line border-t py-2.5 text-[13px] leading-5">
      {state === 'running' ? <Spinner className="mt-0.5 text-accent-text" /> : <Icon className="mt-0.5 size-4 text-ink-2" />}
      <span className={cx('font-medium', state === 'waiting' && 'text-ink-3')}>{stepNames[id]}</span>
      <span className={cx('font-medium tabular-nums', figureColours[state])}>{state === 'running' ? '…' : figure}</span>
      {text !== '' && <p className="wrap-anywhere col-span-2 col-start-2 text-ink-2 text-xs leading-4.5">{text}</p>}
    </li>
  );
}

interface VerdictProps {
  verdict: ModelVerdict;
  connection: ConnectionDraft;
  program: ModelServerKind | null;
  onApply: (fields: Partial<ConnectionDraft>) => void;
}

function Verdict({ verdict, connection, program, onApply }: VerdictProps) {
  const [first = '', ...others] = verdict.sentences;
  const { modelPath, contextTokens, isUsable } = verdict;
  const advice = [
    paths[modelPath].title,
    ...(contextTokens === null ? [] : [`${contextTokens.toLocaleString('en')} tokens of context`]),
  ];
  return (
    <div className="mt-1.5 animate-fade rounded-lg bg-sunken p-3.5 text-[13px] leading-5">
      <p className={cx('text-pretty font-semibold', !isUsable && 'text-bad')}>{first}</p>
      {others.map((sentence) => (
        <p key={sentence} className="wrap-anywhere mt-1 text-pretty text-ink-2">
          {sentence}
        </p>
      ))}
      {verdict.needsContext && <MoreContext program={program} />}
      {isUsable && !isAdvised(connection, verdict) && (
        <div className="mt-2.5 flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 text-ink-2">{`Best setting: ${advice.join(', ')}.`}</p>
          <Button
            size="sm"
            onClick={() => onApply({ modelPath, ...(contextTokens === null ? {} : { contextTokens: String(contextTokens) }) })}
          >
            Apply
          </Button>
        </div>
      )}
    </div>
  );
}

function MoreContext({ program }: { program: ModelServerKind | null }) {
  if (program === null) return <p className="mt-1 text-ink-2">Give the model more context on its server, then test again.</p>;
  const { title, moreContext } = modelServerPrograms[program];
  if ('place' in moreContext)
    return <p className="mt-1 text-ink-2">{`Raise the context in ${moreContext.place}, then test again.`}</p>;
  return (
    <>
      <p className="mt-1 text-ink-2">{`Start ${title} with this, then test again. It needs more memory.`}</p>
      <CommandLine command={moreContext.command} />
    </>
  );
}
