import { FileText, Paperclip, Table2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { type AttachedText, attachedName, attachedOverhead, withAttached } from '#contract/attached-text.ts';
import { formatBytes, formatCount } from '#contract/display.ts';
import { browserStorage, parseStored } from '../../browser-storage.ts';
import { describePaste } from '../../home/paste.ts';
import { cx, IconButton } from '../../ui/elements.tsx';
import { FilePicker } from '../../uploads/file-input.tsx';
import { readTextFile, textFileEndings } from '../../uploads/text-file.ts';

export const dropHint = 'Drop a CSV, TSV, JSON or text file';

const storedSchema = z.array(z.object({ name: z.string(), text: z.string() }));

export interface Attached {
  readonly files: readonly AttachedText[];
  /** Message with the words and the files. */
  readonly content: string;
  /** Why the message cannot be sent or a file was not added, or `null`. */
  readonly problem: string | null;
  readonly isTooLong: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (name: string) => void;
  readonly clear: () => void;
}

interface AttachedOptions {
  /** Key of the unsent files in the browser's storage. */
  readonly keptAs: string;
  readonly words: string;
  readonly maxCharacters: number;
}

/** Manages the text files attached to a text box. */
export function useAttached({ keptAs, words, maxCharacters }: AttachedOptions): Attached {
  const [files, setFiles] = useState<readonly AttachedText[]>(() => parseStored(storedSchema, browserStorage.read(keptAs)) ?? []);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  useEffect(() => browserStorage.write(keptAs, files.length === 0 ? null : JSON.stringify(files)), [keptAs, files]);
  const content = withAttached(words, files);
  const isTooLong = content.length > maxCharacters;
  const add = async (given: readonly File[]) => {
    let next = files;
    const refused: string[] = [];
    for (const file of given) {
      const name = attachedName(file.name);
      // Replaces a file of the same name.
      const others = next.filter((other) => other.name !== name);
      const used = withAttached(words, others).length + attachedOverhead({ name, text: ' '.repeat(maxCharacters) });
      const read = await readTextFile(file, maxCharacters - used);
      if ('problem' in read) refused.push(read.problem);
      else next = [...others, { name, text: read.text }];
    }
    setFiles(next);
    setRefusals(refused);
  };
  const tooLong = `${formatCount(content.length, 'character')} with the files, and ${maxCharacters.toLocaleString('en')} fit. Shorten the words, or remove a file.`;
  return {
    ...{ files, content, isTooLong },
    problem: isTooLong && files.length > 0 ? tooLong : refusals.join(' ') || null,
    add: (given) => void add(given),
    remove(name) {
      setFiles(files.filter((file) => file.name !== name));
      setRefusals([]);
    },
    clear() {
      setFiles([]);
      setRefusals([]);
    },
  };
}

/** Describes a file: “10 rows, 4 columns, 340 B”. */
function fileText({ text }: AttachedText): string {
  const size = formatBytes(new TextEncoder().encode(text).length);
  const found = describePaste(text);
  if (found?.kind !== 'table' && found?.kind !== 'json') return size;
  return `${found.label.slice(found.label.indexOf(', ') + 2)}, ${size}`;
}

interface FileCardProps {
  file: AttachedText;
  className?: string;
  children?: ReactNode;
}

/** Name and size of a file. */
export function FileCard({ file, className, children }: FileCardProps) {
  const Icon = /\.(?:csv|tsv)$/iu.test(file.name) ? Table2 : FileText;
  return (
    <li className={cx('flex min-w-0 max-w-full items-center gap-2.5 rounded-lg border border-line py-1.5 pl-2.5', className)}>
      <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[13px] leading-4.5">{file.name}</span>
        <span className="block text-ink-2 text-xs tabular-nums leading-4">{fileText(file)}</span>
      </span>
      {children}
    </li>
  );
}

/** Unsent files, and why others were refused. */
export function AttachedFiles({ attached: { files, problem, remove }, className }: { attached: Attached; className?: string }) {
  return (
    <div className={cx('flex w-full min-w-0 flex-col gap-2 empty:hidden', className)}>
      {files.length > 0 && (
        <ul aria-label="Attached files" className="flex max-h-40 min-w-0 flex-wrap gap-2 overflow-y-auto">
          {files.map((file) => (
            <FileCard key={file.name} file={file} className="bg-sunken pr-1">
              <IconButton
                icon={X}
                label={`Remove ${file.name}`}
                onClick={() => remove(file.name)}
                className="size-7 max-pane:size-11 max-pane:flex-none! [&_svg]:size-3.5"
              />
            </FileCard>
          ))}
        </ul>
      )}
      {problem !== null && (
        <p role="alert" className="wrap-anywhere text-[13px] text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

export function AttachButton({ attached }: { attached: Attached }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <FilePicker ref={picker} accept={textFileEndings} onFiles={attached.add} />
      <IconButton
        icon={Paperclip}
        label="Attach files"
        onClick={() => picker.current?.click()}
        className="max-pane:size-11 max-pane:flex-none!"
      />
    </>
  );
}
