import { Brush, Check, Clock, Plug, Sparkles, X } from 'lucide-react';
import type { RefObject } from 'react';
import { Button, buttonClass, Link } from '../../../../ui/elements.tsx';
import { filmText, type SeenFilm } from './film-time.ts';
import { ScenePicture } from './scene-picture.tsx';

interface NoFormatProps {
  readonly section: RefObject<HTMLElement | null>;
  /** The film of the request's words, if they make one. */
  readonly words: SeenFilm | null;
  readonly drawings: readonly string[];
  readonly onWords: () => void;
}

const pictureWidth = 148;
const pictureHeight = 83;

/** Says that the request asks for a drawing that no format has, and how to go on. */
export function NoFormat({ section, words, drawings, onWords }: NoFormatProps) {
  const [drawing = 'the drawing'] = drawings;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="This asks for a drawing that Koda has no format for"
      className="mt-6 outline-none"
    >
      <div className="flex gap-3.5">
        <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-lg bg-warn-soft text-warn">
          <Brush className="size-5" />
        </span>
        <div>
          <h2 className="font-semibold text-lg">This asks for a drawing that Koda has no format for.</h2>
          <p className="text-ink-2">
            With a language model Koda can draw it. Without one, Koda can make a film of the words. Your text stays as it is.
          </p>
        </div>
      </div>
      <div className="mt-4 grid gap-4 md:grid-cols-2">
        <div className="flex flex-col rounded-xl border border-ink-3 bg-panel p-4.5">
          <h3 className="font-semibold">Draw it</h3>
          <p className="text-[13px] text-ink-2">A model writes the code for this scene.</p>
          <div className="my-3 grid flex-1 place-items-center content-center gap-2 rounded-lg border border-line-strong bg-[repeating-linear-gradient(135deg,var(--hatch)_0_8px,transparent_8px_18px)] py-8 text-[13px] text-ink-2">
            <Sparkles aria-hidden="true" className="size-6" />
            No picture yet: only a model can say how it will look.
          </div>
          <p className="flex items-center gap-2 text-[13px]">
            <Check aria-hidden="true" className="size-4 text-ok" />
            Can show everything you wrote
          </p>
          <p className="mb-3.5 flex items-center gap-2 text-[13px]">
            <Clock aria-hidden="true" className="size-4 text-ink-2" />
            Takes minutes rather than seconds
          </p>
          <Link href="/settings" className={`${buttonClass('primary')} self-start`}>
            <Plug aria-hidden="true" className="size-4" />
            Connect a model
          </Link>
        </div>
        <div className="flex flex-col rounded-xl border border-line bg-panel p-4.5">
          <h3 className="font-semibold">Make a film of the words</h3>
          <p className="text-[13px] text-ink-2">
            {words === null
              ? 'No words of the text can be shown yet.'
              : `${filmText(words.scenes.length, words.seconds, false)}.`}
          </p>
          <div className="my-3 flex flex-1 flex-wrap content-center gap-2.5 rounded-lg bg-sunken p-3">
            {words?.scenes.slice(0, 6).map(({ scene, number }) => (
              <span key={scene.id} className="overflow-hidden rounded-md ring-1 ring-line-strong">
                <ScenePicture
                  film={words.still}
                  scene={scene}
                  isLast={number === words.scenes.length}
                  width={pictureWidth}
                  height={pictureHeight}
                />
              </span>
            ))}
          </div>
          <p className="flex items-center gap-2 text-[13px]">
            <Check aria-hidden="true" className="size-4 text-ok" />
            Your words, exactly
          </p>
          <p className="mb-3.5 flex items-center gap-2 text-[13px]">
            <X aria-hidden="true" className="size-4 text-bad" />
            <span className="line-clamp-1">{`No drawing of “${drawing}”`}</span>
          </p>
          <Button onClick={onWords} disabled={words === null} className="self-start">
            Make a film of the words
          </Button>
        </div>
      </div>
    </section>
  );
}
