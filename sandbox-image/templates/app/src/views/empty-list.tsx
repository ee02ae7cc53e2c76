import { ClipboardPaste, FileUp, PencilLine, Upload } from 'lucide-react';
import { useState } from 'react';
import type { List, DataView as RecordsView } from '../../model/document.ts';
import { showValue } from '../../model/values.ts';
import { openNew } from '../shell/address.ts';
import { useIsPhone } from '../shell/screen.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { importFile, importText } from './import-table.tsx';

interface EmptyListProps {
  readonly list: List;
  readonly empty?: RecordsView['empty'] | undefined;
  readonly mark: { readonly 'data-view': string };
}

/** A list without records invites people to bring the one that they have. */
export function EmptyList({ list, empty, mark }: EmptyListProps) {
  const [text, setText] = useState('');
  const isPhone = useIsPhone();
  const name = list.name.toLowerCase();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file also works through the button below.
    <section
      className="empty"
      {...mark}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = event.dataTransfer.files[0];
        if (file === undefined) return;
        event.preventDefault();
        void file.text().then((content) => importText(list.id, content));
      }}
    >
      <EmptyDrawing />
      <h2>{empty?.title ?? `No ${name} yet`}</h2>
      <p className="empty-text">{empty?.text ?? 'Bring the list that you have, from any spreadsheet or notes.'}</p>
      <div className="paste-box">
        <label className="paste-head" htmlFor="paste">
          <Icon of={ClipboardPaste} />
          Paste a table
          {!isPhone && <span className="ms-auto font-normal text-ink-3 text-sm">Ctrl V works anywhere on this page</span>}
        </label>
        <textarea
          id="paste"
          className="paste-area"
          // biome-ignore lint/a11y/noAutofocus: pasting is what an empty list is for.
          autoFocus={!isPhone}
          value={text}
          placeholder={exampleOf(list)}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain');
            if (!/[\t\n]/.test(pasted.trim())) return;
            event.preventDefault();
            setText(pasted);
            importText(list.id, pasted);
          }}
        />
        <div className="paste-foot">
          <span className="min-w-0 flex-1">The first row names the fields. You check them before anything is saved.</span>
          <Button kind="primary" disabled={text.trim() === ''} onClick={() => importText(list.id, text)}>
            Continue
          </Button>
        </div>
      </div>
      <div className="empty-ways">
        <button type="button" onClick={() => importFile(list.id)}>
          <span className="empty-icon">
            <Icon of={FileUp} size={18} />
          </span>
          <span>
            Choose a CSV file
            <small>Or drop it here</small>
          </span>
        </button>
        <button type="button" onClick={() => openNew(list.id)}>
          <span className="empty-icon">
            <Icon of={isPhone ? Upload : PencilLine} size={18} />
          </span>
          <span>
            Add the first {list.one}
            <small>{isPhone ? 'One at a time' : 'Press N'}</small>
          </span>
        </button>
      </div>
    </section>
  );
}

const ordinals = ['First', 'Second', 'Third'];

/** A table of this list's shape, in grey. */
function exampleOf({ fields, one }: List): string {
  const shown = fields.filter(({ type }) => type !== 'computed' && type !== 'image').slice(0, 4);
  const lines = [
    shown.map(({ name }) => name),
    ...[0, 1, 2].map((row) =>
      shown.map((field, column) => exampleCell(field, row, column === 0 ? `${ordinals[row]} ${one}` : '…')),
    ),
  ];
  return lines.map((cells) => cells.map((cell) => cell.slice(0, 18).padEnd(20)).join('')).join('\n');
}

function exampleCell(field: List['fields'][number], row: number, text: string): string {
  switch (field.type) {
    case 'number':
      return String(2 + row * 5);
    case 'money':
      return showValue(field, 450 + row * 1250, { long: true });
    case 'date':
      return showValue(field, `2027-0${row + 2}-1${row}`);
    case 'time':
      return `1${row}:30`;
    case 'choice':
    case 'choices':
      return field.choices[row % Math.max(1, field.choices.length)]?.name ?? '';
    case 'yesno':
      return row === 1 ? 'no' : 'yes';
    case 'rating':
      return String(5 - row);
    case 'email':
      return `name${row + 1}@mail.example`;
    default:
      return text;
  }
}

/** A shelf with room for more, in the theme's colours. */
function EmptyDrawing() {
  return (
    <svg width="300" height="132" viewBox="0 0 300 132" aria-hidden="true">
      <ellipse cx="150" cy="122" rx="132" ry="6" fill="var(--ink)" opacity=".07" />
      <rect x="10" y="116" width="280" height="5" rx="2.5" fill="var(--line)" />
      <rect x="40" y="32" width="26" height="84" rx="3" fill="var(--accent)" />
      <rect x="68" y="20" width="20" height="96" rx="3" fill="var(--ink)" />
      <rect x="90" y="42" width="30" height="74" rx="3" fill="var(--helper)" opacity=".65" />
      <rect x="122" y="28" width="18" height="88" rx="3" fill="var(--accent)" opacity=".55" />
      <rect x="142" y="50" width="24" height="66" rx="3" fill="var(--helper)" />
      <rect
        x="176"
        y="34"
        width="22"
        height="82"
        rx="3"
        fill="var(--accent)"
        opacity=".8"
        transform="translate(9 -1) rotate(-17 184 116)"
      />
      <g fill="var(--panel)" opacity=".55">
        <rect x="44" y="44" width="18" height="3" rx="1.5" />
        <rect x="44" y="50" width="18" height="3" rx="1.5" />
        <rect x="72" y="32" width="12" height="3" rx="1.5" />
        <rect x="94" y="54" width="22" height="3" rx="1.5" />
        <rect x="94" y="60" width="22" height="3" rx="1.5" />
        <rect x="126" y="40" width="10" height="3" rx="1.5" />
        <rect x="146" y="62" width="16" height="3" rx="1.5" />
      </g>
      <g fill="none" stroke="var(--line-strong)" strokeDasharray="4 4" strokeWidth="1.5">
        <rect x="212" y="40" width="24" height="74" rx="3" />
        <rect x="240" y="28" width="24" height="86" rx="3" />
      </g>
      <path d="M224 70v14M217 77h14" stroke="var(--accent)" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
