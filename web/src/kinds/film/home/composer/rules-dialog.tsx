import type { PropsWithChildren, ReactNode } from 'react';
import { Dialog } from '../../../../ui/dialog.tsx';
import { SceneNumber } from './scene-number.tsx';

const Shown = ({ children }: PropsWithChildren) => <span className="legend-mark mark mark-shown">{children}</span>;
const Followed = ({ children }: PropsWithChildren) => <span className="legend-mark mark mark-instruction">{children}</span>;

interface Rule {
  readonly title: string;
  readonly text: string;
  readonly example: ReactNode;
}

/** The rules of docs/reading.md, from the strongest to the weakest. */
const rules: readonly Rule[] = [
  {
    title: 'Quotes are shown exactly',
    text: 'Text in quotes is on screen, letter for letter.',
    example: <Shown>“Bring it broken.”</Shown>,
  },
  {
    title: 'The word before says what it is',
    text: 'Title, subtitle, quote, button … Without quotes it ends at the next comma or line.',
    example: (
      <>
        <Followed>title</Followed> <Shown>“Open day”</Shown>, <Followed>button</Followed> <Shown>“Join”</Shown>
      </>
    ),
  },
  {
    title: 'With a colon, quotes are not needed',
    text: 'The rest of the line is shown.',
    example: (
      <>
        <Followed>Title</Followed>: <Shown>The long way home</Shown>
      </>
    ),
  },
  {
    title: 'Rows are a table',
    text: 'Commas, tabs, semicolons or | with the same number of columns.',
    example: (
      <>
        <Shown>Podcast</Shown>,<Shown>187</Shown>
      </>
    ),
  },
  {
    title: 'Dashes, numbers and boxes are lists',
    text: 'Each line is an entry. [x] is ticked.',
    example: (
      <>
        - <Shown>Keys</Shown> 2. <Shown>Tent</Shown> [x] <Shown>Kettle</Shown>
      </>
    ),
  },
  {
    title: 'A time at the start is an agenda',
    text: 'A year or a date instead: a timeline.',
    example: (
      <>
        <Shown>09:30</Shown> <Shown>Tea</Shown>
      </>
    ),
  },
  {
    title: 'Two names with colons are a chat',
    text: 'Each line is a message. One of them speaks twice.',
    example: (
      <>
        <Shown>Ines</Shown>: <Shown>On the train?</Shown>
      </>
    ),
  },
  {
    title: 'A format’s name chooses it',
    text: 'Bar chart, checklist, quote, countdown …',
    example: <Followed>as a bar chart</Followed>,
  },
  {
    title: 'Looks are instructions',
    text: 'Colour, theme, style, length, frame.',
    example: (
      <>
        <Followed>navy background</Followed>, <Followed>6 seconds</Followed>, <Followed>9:16</Followed>
      </>
    ),
  },
  {
    title: '“Leave out” leaves out',
    text: 'Also: without, no, don’t show.',
    example: (
      <>
        <Followed>leave out lunch</Followed> → <span className="legend-mark mark mark-left-out">Lunch</span>
      </>
    ),
  },
  {
    title: 'Blank lines and headings part scenes',
    text: 'A line that starts with # is a heading.',
    example: (
      <>
        # <Shown>New</Shown> <SceneNumber number={2} /> # <Shown>Fixed</Shown> <SceneNumber number={3} />
      </>
    ),
  },
  {
    title: 'Everything else is shown',
    text: 'Koda may ask “for Koda?”, but leaves nothing out by itself.',
    example: (
      <>
        <Shown>See you at the pier.</Shown> <span className="legend-mark mark mark-question">It is for the parents.</span>
      </>
    ),
  },
];

/** All rules by which Koda reads, each with an example. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title="How Koda reads"
      text="Twelve rules, from the strongest to the weakest. A click of yours is stronger than all of them."
    >
      <ol className="mt-3 grid min-h-0 flex-1 gap-x-8 overflow-y-auto text-[13px] sm:grid-cols-2">
        {rules.map(({ title, text, example }, at) => (
          <li key={title} className="flex gap-2.5 border-line border-t py-2.5">
            <span aria-hidden="true" className="w-5 shrink-0 text-right font-semibold text-ink-3 tabular-nums">
              {at + 1}
            </span>
            <div>
              <h3 className="font-semibold">{title}</h3>
              <p className="text-ink-2 text-xs leading-4.5">{text}</p>
              <p className="mt-1 text-sm leading-6">{example}</p>
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-3 border-line border-t pt-3 text-ink-3 text-xs">
        A request that asks for a drawing needs a model. Koda says so before it makes anything. Press ? for the keys.
      </p>
    </Dialog>
  );
}
