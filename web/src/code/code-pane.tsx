import { useQuery } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { highlight, type Token, type TokenKind } from './highlight.ts';

/** Beyond this, colours cost more than they give. */
const maxHighlightedCharacters = 60_000;

/** One file: what streams in, or what the server holds. */
export function CodePane({ path }: { path: string }) {
  const { projectId } = useProject();
  const live = useView((view) => view.files[path]);
  const filesVersion = useView((view) => view.filesVersion);
  const streamed = live?.text ?? null;
  const stored = useQuery({
    queryKey: ['file', projectId, path, filesVersion, live?.version ?? 0],
    queryFn: ({ signal }) => api.readFile(projectId, path, signal),
    enabled: streamed === null && live?.streaming !== true,
  });
  const text = streamed ?? stored.data ?? null;
  return (
    <div className="flex h-full flex-col bg-panel">
      <div className="flex h-9 shrink-0 items-center gap-2 border-line border-b pr-1 pl-4">
        <span className="truncate font-mono text-xs">{path}</span>
        {live?.streaming && <span className="text-accent-text text-xs">{texts.stage.writing}</span>}
        {text !== null && <CopyButton text={text} />}
      </div>
      {text !== null ? (
        <CodeText text={text} follow={live?.streaming ?? false} />
      ) : stored.isError ? (
        <div className="p-4">
          <ErrorNotice error={stored.error} />
        </div>
      ) : (
        <p role="status" className="flex items-center gap-2 p-4 text-[13px] text-ink-2">
          <Spinner />
          {texts.stage.loadingFile}
        </p>
      )}
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      label={copied ? texts.stage.copied : texts.stage.copy}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      className="ml-auto"
    >
      {copied ? <Check className="size-4 text-ok" /> : <Copy className="size-4" />}
    </IconButton>
  );
}

function CodeText({ text, follow }: { text: string; follow: boolean }) {
  const box = useRef<HTMLElement>(null);
  const lines = useMemo(
    () =>
      text.length > maxHighlightedCharacters
        ? text.split('\n').map((line): Token[] => (line === '' ? [] : [{ kind: 'plain', text: line, column: 0 }]))
        : highlight(text),
    [text],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line moves the end.
  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [follow, lines.length]);
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={texts.stage.tabs.code}
      className="min-h-0 flex-1 overflow-auto py-3 outline-offset-[-2px]"
    >
      <pre className="w-max min-w-full font-mono text-[12.5px] leading-5">
        {lines.map((tokens, index) => (
          <CodeLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number.
            key={index}
            number={index + 1}
            source={tokens.map((token) => token.kind + token.text).join('')}
            tokens={tokens}
          />
        ))}
      </pre>
    </section>
  );
}

const colours: Record<TokenKind, string> = {
  plain: '',
  keyword: 'text-code-keyword',
  string: 'text-code-string',
  number: 'text-code-number',
  comment: 'text-code-comment italic',
  name: 'text-code-name',
  tag: 'text-code-tag',
};

interface CodeLineProps {
  number: number;
  tokens: readonly Token[];
  /** The tokens as one string: while it stays the same, the line is not drawn again. */
  source: string;
}

const CodeLine = memo(
  function CodeLine({ number, tokens }: CodeLineProps) {
    return (
      <div className="flex pr-6 [contain-intrinsic-size:auto_20px] [content-visibility:auto]">
        <span aria-hidden="true" className="w-12 shrink-0 select-none pr-4 text-right text-ink-3 tabular-nums">
          {number}
        </span>
        <code>
          {tokens.map((token) => (
            <span key={token.column} className={cx(colours[token.kind])}>
              {token.text}
            </span>
          ))}
          {'\n'}
        </code>
      </div>
    );
  },
  (before, after) => before.source === after.source && before.number === after.number,
);
