import type { RefObject } from 'react';
import { ErrorNotice } from '../../../../ui/elements.tsx';
import { withChoice, withCorrection, withMove } from './corrections.ts';
import { FilmSection } from './film-section.tsx';
import { secondsText, seenFilmOf } from './film-time.ts';
import { NoFormat } from './no-format.tsx';
import type { useCorrections } from './use-corrections.ts';
import type { ReadDraft } from './use-read-draft.ts';
import { useReading } from './use-reading.ts';
import type { useWords } from './use-words.ts';

interface FilmBelowProps {
  readonly read: ReadDraft;
  readonly words: ReturnType<typeof useWords>;
  readonly edit: ReturnType<typeof useCorrections>;
  readonly noFormat: RefObject<HTMLElement | null>;
  readonly isTooLong: boolean;
  readonly hasFiles: boolean;
  readonly titleOf: (format: string) => string;
}

/** Below the box: the film that will be made, or what to do if it needs a drawing. */
export function FilmBelow({ read, words, edit, noFormat, isTooLong, hasFiles, titleOf }: FilmBelowProps) {
  const { seen, input, isStopped, reading } = read;
  const needed = words.spans.filter(({ state }) => state === 'needs-drawing');
  const asWords = withCorrection(edit.now, needed, 'show');
  const wordsInput = isStopped && input !== null ? { ...input, corrections: [...asWords.corrections] } : null;
  const wordsReading = useReading(wordsInput, { isPaused: false }).reading;
  if (isStopped)
    return (
      <NoFormat
        section={noFormat}
        words={seenFilmOf(wordsReading)}
        drawings={reading?.drawing?.words ?? []}
        onWords={() => edit.correct(asWords, 'Your words are shown.')}
      />
    );
  if (seen === null) return null;
  const questions = words.rows.filter(({ state }) => state === 'question');
  return (
    <FilmSection
      seen={seen}
      isLengthChosen={read.isLengthChosen}
      note={read.isSlow ? 'Reading…' : null}
      hasFiles={hasFiles}
      isOld={isTooLong || read.hasFailed}
      litScene={words.litScene}
      questions={new Set(questions.flatMap(({ scene }) => scene ?? []))}
      titleOf={titleOf}
      onFormat={(at, format) => edit.correct(withChoice(edit.now, { at, format }), `Shown as ${titleOf(format)}.`)}
      onSeconds={(at, seconds) => edit.correct(withChoice(edit.now, { at, seconds }), `It lasts ${secondsText(seconds)}.`)}
      onMove={(from, to) => {
        const starts = seen.scenes.map(({ at }) => at);
        edit.correct(withMove(edit.now, starts, from, to), `It is scene ${to + 1} now.`);
      }}
      onLight={words.setLitScene}
      onGo={words.goToScene}
      onLeaveOut={words.leaveSceneOut}
    />
  );
}

export function ReadingFailed({ read }: { read: ReadDraft }) {
  if (!read.hasFailed) return null;
  return <ErrorNotice error={new Error('Could not read this. Your text is kept.')} onRetry={read.retry} className="mt-3" />;
}
