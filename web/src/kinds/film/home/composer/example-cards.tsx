import { ArrowUp } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useWidth } from '../../../../ui/hooks.ts';
import { textExamples } from '../request-text.ts';
import { seenFilmOf } from './film-time.ts';
import { segmentsOf } from './marks.ts';
import { ScenePicture } from './scene-picture.tsx';
import { useReading } from './use-reading.ts';

type ExampleName = keyof typeof textExamples;
const names = Object.keys(textExamples) as ExampleName[];

/** Horizontal space in a card beside its picture, in pixels. */
const cardPadding = 28;

/** Before there is a text: three to try, each with its reading and the scene that it makes. */
export function ExampleCards({ disabled, onUse }: { disabled: boolean; onUse: (name: ExampleName) => void }) {
  const first = useRef<HTMLLIElement>(null);
  const width = useWidth(first);
  return (
    <section aria-label="Try one of these" className="mt-5">
      <h2 className="mb-2.5 flex items-baseline gap-2.5 font-semibold text-base">
        Try one of these
        <span className="font-normal text-[13px] text-ink-2">Each shows how it is read.</span>
      </h2>
      <ul className="-mx-4 flex gap-4 overflow-x-auto px-4 pb-1 sm:mx-0 sm:grid sm:grid-cols-3 sm:px-0">
        {names.map((name, at) => (
          <li
            key={name}
            ref={at === 0 ? first : null}
            className="relative flex w-72 shrink-0 flex-col rounded-xl border border-line-strong bg-panel p-3.5 has-hover:border-ink-3 sm:w-auto"
          >
            <Example name={name} width={Math.max(0, width - cardPadding)} />
            <button
              type="button"
              disabled={disabled}
              onClick={() => onUse(name)}
              aria-label={`${name}: use this text`}
              className="absolute inset-0 rounded-xl"
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Example({ name, width }: { name: ExampleName; width: number }) {
  const text = textExamples[name];
  const input = useMemo(() => ({ text }), [text]);
  const { reading } = useReading(input, { isPaused: false });
  const seen = useMemo(() => seenFilmOf(reading), [reading]);
  const scene = seen?.scenes.at(-1)?.scene;
  const height = Math.round((width * 9) / 16);
  return (
    <>
      <p className="flex items-center font-medium text-[13px]">
        {name}
        <span aria-hidden="true" className="ml-auto flex items-center gap-1 text-accent-text">
          Use
          <ArrowUp className="size-3.5" />
        </span>
      </p>
      <p className="mt-2 mb-3 line-clamp-5 h-32.5 whitespace-pre-wrap text-[15px] leading-6.5 [tab-size:12]">
        {segmentsOf(text, 0, reading?.spans ?? []).map(({ start, text: words, span }) =>
          span === null ? (
            words
          ) : (
            <span key={start} className={`legend-mark mark mark-${span.state} animate-fade`}>
              {words}
            </span>
          ),
        )}
      </p>
      <span className="mt-auto block aspect-video shrink-0 overflow-hidden rounded-lg bg-sunken ring-1 ring-line-strong">
        {seen !== null && scene !== undefined && width > 0 && (
          <ScenePicture film={seen.still} scene={scene} isLast width={width} height={height} />
        )}
      </span>
    </>
  );
}
