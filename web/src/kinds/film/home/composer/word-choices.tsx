import { Check, CornerDownRight, Eye, EyeOff, Heading, type LucideIcon, Undo2, WandSparkles } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { Correction, ReadingRole, ReadingSpan } from '#kinds/film/contract/reading.ts';
import { cx } from '../../../../ui/elements.tsx';
import { reasonOf, roleNames } from './names.ts';

export type WordUse = Correction['use'] | 'rules';

export interface ChosenWords {
  readonly words: string;
  /** How the words are read. `null` for selected words with several readings. */
  readonly span: ReadingSpan | null;
}

/** Uses that most scenes have room for. The others follow after “More”. */
const commonUses = ['title', 'subtitle', 'caption', 'entry', 'date', 'place'] as const satisfies readonly ReadingRole[];
const otherUses = ['heading', 'kicker', 'text', 'quote', 'author', 'button', 'end', 'name', 'brand', 'source'] as const;

interface WordChoicesProps {
  readonly chosen: ChosenWords;
  readonly picture: ReactNode;
  readonly isTouch?: boolean;
  readonly onUse: (use: WordUse) => void;
}

/** Says how words are read and why, and offers other readings. */
export function WordChoices({ chosen: { words, span }, picture, isTouch = false, onUse }: WordChoicesProps) {
  const [hasAll, setHasAll] = useState(false);
  const isShown = span !== null && (span.state === 'shown' || span.state === 'question');
  const isFollowed = span?.state === 'instruction';
  const role = span?.role ?? null;
  const uses: readonly ReadingRole[] = hasAll ? [...commonUses, ...otherUses] : commonUses;
  const shownUses = role === null || uses.includes(role) ? uses : [role, ...uses.slice(0, -1)];
  return (
    <div>
      <div className="flex items-center gap-3 px-1 pt-0.5 pb-2">
        {picture}
        <div className="min-w-0 flex-1">
          <p className={cx('line-clamp-2 font-medium wrap-anywhere', isTouch ? 'text-base' : 'text-[13px] leading-4.5')}>
            {span === null ? `“${words}”` : headingOf(span, words)}
          </p>
          <p className={cx('mt-0.5 text-ink-2', isTouch ? 'text-sm' : 'text-xs leading-4')}>
            {span === null ? 'The words that you selected.' : reasonOf(span)}
          </p>
        </div>
      </div>
      <StateButtons span={span} isTouch={isTouch} onUse={onUse} />
      {!isFollowed && (
        <Item icon={WandSparkles} label="Follow it, do not show it" keys="F" onClick={() => onUse('follow')} isTouch={isTouch} />
      )}
      <Item icon={Heading} label="Make it the title" keys="T" onClick={() => onUse('title')} isTouch={isTouch} />
      <div className={cx('flex gap-2.5 px-2.5 py-1.5', isTouch ? 'text-base' : 'text-[13px]')}>
        <CornerDownRight aria-hidden="true" className="mt-1 size-4 shrink-0 text-ink-2" />
        <span className={cx('shrink-0', isTouch ? 'leading-10' : 'leading-6')}>Use as</span>
        <div className="flex min-w-0 flex-wrap gap-1.25">
          {shownUses.map((use) => (
            <UseChip
              key={use}
              label={roleNames[use]}
              isOn={use === role && isShown}
              isTouch={isTouch}
              onClick={() => onUse(use)}
            />
          ))}
          <UseChip label="Own scene" isOn={false} isTouch={isTouch} onClick={() => onUse('own-scene')} />
          {!hasAll && <UseChip label="More…" isOn={false} isTouch={isTouch} onClick={() => setHasAll(true)} />}
        </div>
      </div>
      {span?.rule === null && (
        <Item icon={Undo2} label="Forget this correction" onClick={() => onUse('rules')} isTouch={isTouch} />
      )}
    </div>
  );
}

/** Shows the words, leaves them out, or follows them as the rules do. */
function StateButtons({ span, isTouch, onUse }: Pick<ChosenWords, 'span'> & { isTouch: boolean; onUse: (use: WordUse) => void }) {
  const isShown = span?.state === 'shown' || span?.state === 'question';
  const isFollowed = span?.state === 'instruction';
  return (
    <div className="grid grid-cols-2 gap-1.5">
      {isFollowed ? (
        <StateButton icon={Check} label="Followed" isOn onClick={() => onUse('rules')} isTouch={isTouch} />
      ) : (
        <StateButton
          icon={Eye}
          label={isShown ? 'Shown' : 'Show'}
          keys="S"
          isOn={isShown}
          onClick={() => onUse('show')}
          isTouch={isTouch}
        />
      )}
      {isFollowed ? (
        <StateButton icon={Eye} label="Show these words" keys="S" isOn={false} onClick={() => onUse('show')} isTouch={isTouch} />
      ) : (
        <StateButton
          icon={EyeOff}
          label={span?.state === 'left-out' ? 'Left out' : 'Leave out'}
          keys="L"
          isOn={span?.state === 'left-out'}
          onClick={() => onUse('leave-out')}
          isTouch={isTouch}
        />
      )}
    </div>
  );
}

/** Returns the use that a key stands for. */
export function wordUseOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): WordUse | null {
  if (ctrlKey || metaKey || altKey) return null;
  const uses: Readonly<Record<string, WordUse>> = { s: 'show', l: 'leave-out', f: 'follow', t: 'title' };
  return uses[key.toLowerCase()] ?? null;
}

function headingOf({ role, scene, state }: ReadingSpan, words: string): string {
  const short = words.length > 60 ? `${words.slice(0, 60)}…` : words;
  if (scene === null) return short;
  const name = role === null ? 'Text' : roleNames[role];
  return state === 'question' ? `${name} of scene ${scene}, or for Koda?` : `${name} of scene ${scene}`;
}

interface StateButtonProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys?: string;
  readonly isOn: boolean;
  readonly isTouch: boolean;
  readonly onClick: () => void;
}

function StateButton({ icon: Icon, label, keys, isOn, isTouch, onClick }: StateButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cx(
        'flex items-center gap-2 rounded-lg border px-2.5 font-medium',
        isTouch ? 'h-12 text-base' : 'h-9 text-[13px]',
        isOn ? 'border-mark-line bg-mark' : 'border-line-strong hover:bg-sunken',
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate">{label}</span>
      {keys !== undefined && !isTouch && <Key keys={keys} />}
    </button>
  );
}

interface ItemProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys?: string;
  readonly isTouch: boolean;
  readonly onClick: () => void;
}

function Item({ icon: Icon, label, keys, isTouch, onClick }: ItemProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={cx(
        'mt-1 flex w-full items-center gap-2.5 rounded-lg px-2.5 text-left hover:bg-sunken',
        isTouch ? 'h-12 text-base' : 'h-8.5 text-[13px]',
      )}
    >
      <Icon aria-hidden="true" className="size-4 text-ink-2" />
      {label}
      {keys !== undefined && !isTouch && <Key keys={keys} />}
    </button>
  );
}

function UseChip({ label, isOn, isTouch, onClick }: Pick<StateButtonProps, 'label' | 'isOn' | 'isTouch' | 'onClick'>) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      data-use=""
      onClick={onClick}
      className={cx(
        'rounded-full border px-2',
        isTouch ? 'h-11 px-3.5 text-sm' : 'h-6 text-xs',
        isOn ? 'border-ink-3 bg-bubble text-ink' : 'border-line-strong text-ink-2 hover:border-ink-3 hover:text-ink',
      )}
    >
      {label}
    </button>
  );
}

function Key({ keys }: { keys: string }) {
  return (
    <kbd className="ml-auto grid h-5 min-w-5 place-items-center rounded border border-line-strong border-b-2 px-1 font-normal font-sans text-[11px] text-ink-2">
      {keys}
    </kbd>
  );
}
