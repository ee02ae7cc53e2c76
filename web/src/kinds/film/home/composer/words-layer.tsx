import type { RefObject } from 'react';
import { isCorrected, noCorrections } from './corrections.ts';
import { HowTo } from './how-to.tsx';
import { ListAside, ReadingList } from './reading-list.tsx';
import { ScenePicture } from './scene-picture.tsx';
import type { useCorrections } from './use-corrections.ts';
import { type ReadDraft, sceneIn } from './use-read-draft.ts';
import type { useWords } from './use-words.ts';
import { WordPopover } from './word-popover.tsx';
import { WordSheet } from './word-sheet.tsx';

type Words = ReturnType<typeof useWords>;

function Picture({ seen, scene, width }: { seen: ReadDraft['seen']; scene: number | null; width: number }) {
  const own = sceneIn(seen, scene);
  if (own === undefined || seen === null) return null;
  const height = Math.round(seen.still.aspect === '9:16' ? (width * 16) / 9 : (width * 9) / 16);
  return (
    <span className="shrink-0 overflow-hidden rounded-[5px] ring-1 ring-line-strong">
      <ScenePicture film={seen.still} scene={own.scene} width={width} height={height} />
    </span>
  );
}

interface ReadingPaneProps {
  readonly words: Words;
  readonly edit: ReturnType<typeof useCorrections>;
  readonly list: RefObject<HTMLUListElement | null>;
}

/** Beside the text: how it is read, or how to write one. */
export function ReadingPane({ words, edit, list }: ReadingPaneProps) {
  const { rows } = words;
  if (rows.length === 0) return <HowTo />;
  return (
    <ReadingList
      list={list}
      rows={rows}
      current={words.current}
      lit={words.litRow}
      aside={
        <ListAside
          questions={rows.filter(({ state }) => state === 'question').length}
          canUndo={edit.canUndo}
          isCorrected={isCorrected(edit.now)}
          onUndo={edit.undo}
          onForget={() => edit.correct(noCorrections, 'Your corrections are forgotten.')}
        />
      }
      onCurrent={words.setCurrentRow}
      onLight={words.setLitRow}
      onUse={words.correctRow}
      onOpen={words.openRow}
      onGo={words.goToRow}
      onLeave={words.focusText}
    />
  );
}

/** Over the box: the choices for the words that are pointed at or selected. */
export function OpenedWords({ words, seen }: { words: Words; seen: ReadDraft['seen'] }) {
  const { opened } = words;
  if (opened === null || opened.by === 'touch') return null;
  return (
    <WordPopover
      key={`${opened.range.start}:${opened.by}`}
      chosen={{ words: words.openedWords, span: opened.span }}
      place={opened.place}
      picture={<Picture seen={seen} scene={opened.span?.scene ?? null} width={seen?.still.aspect === '9:16' ? 40 : 92} />}
      takesFocus={opened.by === 'key'}
      onUse={words.correctOpened}
      onKeep={words.keepOpen}
      onLeave={words.leave}
      onClose={words.close}
    />
  );
}

interface ReadingSheetProps {
  readonly words: Words;
  readonly seen: ReadDraft['seen'];
  readonly isListOpen: boolean;
  readonly onClose: () => void;
}

/** On phones: the list and the choices, from the lower edge. */
export function ReadingSheet({ words, seen, isListOpen, onClose }: ReadingSheetProps) {
  return (
    <WordSheet
      rows={words.rows}
      opened={isListOpen || words.opened?.by === 'touch'}
      at={words.opened === null ? null : words.litRow}
      pictureOf={({ scene }) => <Picture seen={seen} scene={scene} width={96} />}
      onUse={words.correctRow}
      onEdit={(row) => {
        onClose();
        words.goToRow(row);
      }}
      onClose={() => {
        onClose();
        words.closeSheet();
      }}
    />
  );
}
