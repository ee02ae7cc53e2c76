import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatTimecode } from '#contract/display.ts';
import { parseTime } from '../../../time-text.ts';
import { lastFrameSeconds } from './film-time.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './use-player.ts';

interface TimeDisplayProps {
  player: Player;
  enabled: boolean;
  title: string;
  typing: boolean;
  onTyping: (typing: boolean) => void;
}

/** Shows the current time. Typing another time seeks to it. */
export function TimeDisplay({ player, enabled, title, typing, onTyping }: TimeDisplayProps) {
  const seconds = usePlayerState(player, (state) => state.seconds);
  const { durationSeconds, fps } = player.film;
  const shown = useRef<HTMLButtonElement>(null);
  const refocus = useRef(false);
  useEffect(() => {
    if (!typing && refocus.current) shown.current?.focus();
    refocus.current = false;
  }, [typing]);
  const now = formatTimecode(seconds, fps);
  return (
    <div className="flex min-w-0 items-baseline gap-3">
      <div className="flex items-baseline whitespace-nowrap font-mono text-[13px] tabular-nums">
        {typing ? (
          <TimeField
            start={now}
            fps={fps}
            onEnd={(to, byKey) => {
              refocus.current = byKey;
              onTyping(false);
              if (to !== null) player.seek(Math.min(to, lastFrameSeconds(null, player.film)), performance.now());
            }}
          />
        ) : (
          <button
            ref={shown}
            type="button"
            disabled={!enabled}
            aria-label={`${now}. Go to another time`}
            title="Go to a time (T)"
            onClick={() => onTyping(true)}
            className="-mx-1 rounded-md px-1 py-0.5 enabled:cursor-text enabled:hover:bg-sunken"
          >
            {now}
          </button>
        )}
        <span className="whitespace-pre text-ink-3">{` / ${formatTimecode(durationSeconds, fps)}`}</span>
      </div>
      <p className="@max-4xl:hidden whitespace-nowrap font-mono text-ink-3 text-xs tabular-nums">
        frame {Math.round(seconds * fps)}
      </p>
      <p className="@max-5xl:hidden max-w-40 truncate text-ink-2 text-xs">{title}</p>
    </div>
  );
}

interface TimeFieldProps {
  start: string;
  fps: number;
  /** `null` if the film stays where it is. */
  onEnd: (toSeconds: number | null, byKey: boolean) => void;
}

function TimeField({ start, fps, onEnd }: TimeFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState(false);
  const done = useRef(false);
  useEffect(() => field.current?.select(), []);
  const end = (toSeconds: number | null, byKey: boolean) => {
    // Removing the field also blurs it.
    if (done.current) return;
    done.current = true;
    onEnd(toSeconds, byKey);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    // The same key would otherwise press the button that replaces the field.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return end(null, true);
    const to = parseTime(event.currentTarget.value, fps);
    if (to === null) setUnreadable(true);
    else end(to, true);
  };
  return (
    <input
      ref={field}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was just pressed.
      autoFocus
      defaultValue={start}
      maxLength={12}
      autoComplete="off"
      spellCheck={false}
      aria-label="Go to a time (T)"
      aria-invalid={unreadable}
      title="A time like 1.5s, 45f, 1:07.5 or 00:01:12. Press Enter to go there."
      onChange={() => setUnreadable(false)}
      onKeyDown={onKeyDown}
      onBlur={() => end(null, false)}
      className="-mx-1 w-[calc(8ch+0.5rem)] rounded-md bg-sunken px-1 py-0.5 outline-2 outline-accent outline-offset-0 aria-invalid:text-bad aria-invalid:outline-bad"
    />
  );
}
