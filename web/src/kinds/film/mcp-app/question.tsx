import { type FormEvent, useId, useState } from 'react';
import { useStore } from 'zustand';
import type { State } from '#contract/mcp-results.ts';
import { Button } from '../../../ui/elements.tsx';
import type { FilmStore } from './film-store.ts';

/** The one question that Koda may ask before it plans. */
export function QuestionPanel({ store, question }: { store: FilmStore; question: NonNullable<State['question']> }) {
  const id = useId();
  const { approval_id } = question;
  const pending = useStore(store.state, (state) => state.pending);
  const [text, setText] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void store.answer({ approval_id, text: text.trim() });
  };
  return (
    <section aria-labelledby={`${id}-question`} className="mt-4">
      <h2 id={`${id}-question`} className="wrap-anywhere font-medium">
        {question.content}
      </h2>
      <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(100%,220px),1fr))] gap-2">
        {question.options.map((option) => (
          <li key={option.id}>
            <button
              type="button"
              disabled={pending !== null}
              onClick={() => void store.answer({ approval_id, option_id: option.id })}
              className="size-full rounded-xl border border-line-strong bg-panel px-3 py-2.5 text-left transition-colors enabled:hover:border-accent disabled:text-ink-3"
            >
              <span className="wrap-anywhere block font-medium">{option.label}</span>
              {option.description && <span className="wrap-anywhere block text-[13px] text-ink-2">{option.description}</span>}
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={send} className="mt-3 flex flex-wrap gap-2">
        <label htmlFor={id} className="sr-only">
          Your own answer
        </label>
        <input
          id={id}
          value={text}
          maxLength={2000}
          placeholder="Or your own answer"
          onChange={(event) => setText(event.target.value)}
          className="h-9 min-w-0 flex-1 rounded-lg border border-line-strong bg-panel px-3 text-sm placeholder:text-ink-3"
        />
        <Button type="submit" disabled={text.trim() === '' || pending !== null} pending={pending === 'answer' && 'Sending…'}>
          Answer
        </Button>
      </form>
    </section>
  );
}
