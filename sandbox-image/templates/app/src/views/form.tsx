import { Check, CircleAlert, Pencil } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Controller, type ControllerRenderProps, useForm } from 'react-hook-form';
import type { Field, List, ViewOf } from '../../model/document.ts';
import { type Value, valueSchema } from '../../model/record.ts';
import { isEmpty, parseText, showValue, valueProblem } from '../../model/values.ts';
import data from '../data/use-data.ts';
import { FieldEditor } from '../fields/edit.tsx';
import { FieldValue } from '../fields/show.tsx';
import { useTitleOf } from '../fields/titles.ts';
import { useViewMark } from '../shell/page-frame.tsx';
import { todayIso } from '../shell/screen.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import './form.css';
import {
  choiceLines,
  choiceShape,
  filledText,
  formState,
  isTyped,
  missingText,
  type Question,
  questionsOf,
  readDraft,
  remainingText,
} from './form-state.ts';

type FormView = ViewOf<'form'>;
/** Answers by field. Those of typed fields are texts, as they were typed. */
type Answers = Record<string, Value>;

/** Asks visitors for one record, and thanks them. Answers survive a reload until they are sent. */
export function Form(view: FormView) {
  const list = data.listOf(view.list);
  const mark = useViewMark(view.id);
  const records = data.useRecords(view.list);
  const [sent, setSent] = useState<{ readonly id: string; readonly answers: Answers } | null>(null);
  const [start, setStart] = useState<Answers | null>(null);
  const changing = start === null ? null : sent;
  const questions = questionsOf(view, list);
  const state = formState(view, records.length, todayIso());
  const title = view.title ?? `New ${list.one}`;
  let content: ReactNode;
  if (sent !== null && start === null) {
    content = (
      <Thanks
        view={view}
        list={list}
        questions={questions}
        answers={sent.answers}
        number={records.findIndex(({ id }) => id === sent.id) + 1}
        onChange={() => setStart(sent.answers)}
        onAnother={state === 'open' ? () => setSent(null) : null}
      />
    );
  } else if (state !== 'open' && changing === null) {
    content = <Closed title={title} full={state === 'full'} />;
  } else {
    content = (
      <>
        <h1>{title}</h1>
        {view.intro !== undefined && <p className="form-lead">{view.intro}</p>}
        {remainingText(view, records.length) !== null && <p className="form-left">{remainingText(view, records.length)}</p>}
        <Questions
          key={changing?.id ?? 'new'}
          view={view}
          list={list}
          questions={questions}
          changing={changing}
          onSent={(id, answers) => {
            setSent({ id, answers });
            setStart(null);
          }}
        />
      </>
    );
  }
  return (
    <div className="form-view" {...mark}>
      <div className="form-page">{content}</div>
      <FormScene />
    </div>
  );
}

/** Hills in the theme's colours, beside the form where there is room. */
function FormScene() {
  return (
    <div className="form-scene" aria-hidden="true">
      <svg viewBox="0 0 600 868" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <circle cx="430" cy="190" r="92" fill="var(--panel)" opacity=".55" />
        <path d="M0 500C110 410 210 470 320 430S520 350 600 400V868H0Z" fill="var(--accent)" opacity=".16" />
        <path d="M0 610C140 540 260 640 390 570S560 520 600 540V868H0Z" fill="var(--accent)" opacity=".26" />
        <path d="M0 740C120 690 300 760 420 710S560 680 600 690V868H0Z" fill="var(--helper)" opacity=".3" />
        <g stroke="var(--accent)" strokeWidth="5" strokeLinecap="round" fill="none" opacity=".75">
          <path d="M150 690V590M150 640C128 636 116 620 114 600C136 602 148 616 150 640M150 620C172 616 184 600 186 580C164 582 152 596 150 620" />
          <path d="M240 706V630M240 668C222 664 212 652 210 636C228 638 238 648 240 668M240 652C258 648 268 636 270 620C252 622 242 632 240 652" />
        </g>
      </svg>
    </div>
  );
}

function Closed({ title, full }: { title: string; full: boolean }) {
  return (
    <>
      <h1>{title}</h1>
      <p className="form-lead">
        {full ? 'All places are taken, so no more answers can be sent.' : 'This form has closed, so no more answers can be sent.'}
      </p>
      <p className="form-left">Ask {data.document.name} whether there is another way.</p>
    </>
  );
}

interface QuestionsProps {
  readonly view: FormView;
  readonly list: List;
  readonly questions: readonly Question[];
  /** What was sent before and is being changed. */
  readonly changing: { readonly id: string; readonly answers: Answers } | null;
  readonly onSent: (id: string, answers: Answers) => void;
}

function Questions({ view, list, questions, changing, onSent }: QuestionsProps) {
  const draftKey = `koda:form:${location.pathname}:${view.id}`;
  const [failed, setFailed] = useState<string | null>(null);
  const start = changing?.answers ?? readDraft(sessionStorage.getItem(draftKey), questions);
  const {
    control,
    handleSubmit,
    subscribe,
    formState: form,
  } = useForm<Answers>({
    defaultValues: { ...Object.fromEntries(questions.map(({ field }) => [field.id, null])), ...start },
    mode: 'onBlur',
    reValidateMode: 'onBlur',
  });
  const isChange = changing !== null;
  useEffect(() => {
    if (isChange) return;
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => sessionStorage.setItem(draftKey, JSON.stringify(values)),
    });
  }, [subscribe, draftKey, isChange]);

  const send = (answers: Answers) => {
    const values = Object.fromEntries(
      questions.map((question) => [question.field.id, storedValue(question, answers[question.field.id] ?? null)]),
    );
    const id = changing?.id ?? newId();
    const name = isChange ? `Changed ${list.one}` : `Added ${list.one}`;
    if (!data.change(name, [{ op: 'put', list: list.id, id, values }])) {
      setFailed('Your answers could not be sent. They are still here. Check them and send them again.');
      return;
    }
    sessionStorage.removeItem(draftKey);
    onSent(id, answers);
  };
  const wrong = questions.filter(({ field }) => form.errors[field.id] !== undefined).length;
  return (
    <form noValidate className="form-questions" onSubmit={handleSubmit(send)}>
      {questions.map((question) => (
        <Controller
          key={question.field.id}
          name={question.field.id}
          control={control}
          rules={{ validate: (value) => problemOf(question, value) ?? true }}
          render={({ field, fieldState }) => (
            <Asked question={question} input={field} problem={fieldState.error?.message ?? null} />
          )}
        />
      ))}
      <div className="form-send">
        <Button type="submit" kind="primary" size="large">
          {isChange ? 'Save my answers' : `Send ${list.one}`}
        </Button>
        <p role="status">
          {failed ??
            (form.isSubmitted && wrong > 0 ? `${wrong === 1 ? 'One answer needs' : `${wrong} answers need`} another look.` : '')}
        </p>
      </div>
    </form>
  );
}

function newId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 16);
}

/** The value that is stored for an answer. Only called for answers without a problem. */
function storedValue({ field }: Question, answer: Value): Value {
  if (!isTyped(field) || typeof answer !== 'string') return isEmpty(answer) ? null : answer;
  const parsed = parseText(field, answer, { todayIso: todayIso() });
  return 'value' in parsed ? parsed.value : null;
}

function problemOf(question: Question, answer: unknown): string | null {
  const { field, needed } = question;
  const value = valueSchema.parse(answer ?? null);
  const isMissing = field.type === 'yesno' ? value !== true : isEmpty(typeof value === 'string' ? value.trim() : value);
  if (isMissing) return needed ? missingText(question) : null;
  if (!isTyped(field)) return valueProblem(field, value);
  const parsed = parseText(field, String(value), { todayIso: todayIso() });
  return 'problem' in parsed ? parsed.problem : valueProblem(field, parsed.value);
}

type Input = ControllerRenderProps<Answers, string>;

interface AskedProps {
  readonly question: Question;
  readonly input: Input;
  readonly problem: string | null;
}

function Asked({ question, input, problem }: AskedProps) {
  const { field, label, hint, needed, wide } = question;
  const id = useId();
  const ids = { control: `${id}-control`, label: `${id}-label`, hint: `${id}-hint`, problem: `${id}-problem` };
  const hintText = [hint, needed ? null : 'Optional.'].filter((text) => text !== null).join(' ');
  const described = [hintText !== '' && ids.hint, problem !== null && ids.problem].filter((one) => one !== false).join(' ');
  const aria = {
    'aria-invalid': problem !== null || undefined,
    'aria-describedby': described || undefined,
    'aria-required': needed || undefined,
  };
  const shared = { question, input, problem, ids, aria };
  const isGroup =
    field.type === 'choices' || field.type === 'rating' || (field.type === 'choice' && choiceShape(field) !== 'menu');
  const heading = (
    <>
      {label} {hintText !== '' && <span id={ids.hint}>{hintText}</span>}
    </>
  );
  if (field.type === 'yesno') return <YesNo {...shared} hintText={hintText} />;
  return (
    <div className="form-question" data-wide={wide}>
      {isGroup ? (
        <span className="form-label" id={ids.label}>
          {heading}
        </span>
      ) : (
        <label className="form-label" id={ids.label} htmlFor={ids.control}>
          {heading}
        </label>
      )}
      <Answer {...shared} field={field} />
      <Problem id={ids.problem} text={problem} />
    </div>
  );
}

function Problem({ id, text }: { id: string; text: string | null }) {
  return (
    <p id={id} className="form-problem" role="alert">
      {text !== null && (
        <>
          <Icon of={CircleAlert} size={14} />
          {text}
        </>
      )}
    </p>
  );
}

interface AnswerProps extends AskedProps {
  readonly ids: Readonly<Record<'control' | 'label' | 'hint' | 'problem', string>>;
  readonly aria: {
    readonly 'aria-invalid': true | undefined;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-required': true | undefined;
  };
}

function Answer({ field, ...rest }: AnswerProps & { field: Field }) {
  if (field.type === 'choice' && choiceShape(field) !== 'menu') return <OneChoice {...rest} field={field} />;
  if (field.type === 'choices') return <ManyChoices {...rest} field={field} />;
  if (isTyped(field)) return <Typed {...rest} field={field} />;
  const { input, ids } = rest;
  return (
    <div className="form-editor">
      <FieldEditor
        id={ids.control}
        field={field}
        value={input.value ?? null}
        variant="form"
        onChange={(value) => input.onChange(value)}
        onDone={() => input.onBlur()}
      />
    </div>
  );
}

const inputTypes: Partial<Record<Field['type'], string>> = { email: 'email', phone: 'tel', link: 'url' };
const completions: Partial<Record<Field['type'], string>> = { email: 'email', phone: 'tel', link: 'url' };
const examples: Partial<Record<Field['type'], string>> = { date: '3 Feb, Friday or +3', time: '13:30' };

function Typed({ field, input, ids, aria }: AnswerProps & { field: Field }) {
  const shared = {
    ...aria,
    id: ids.control,
    ref: input.ref,
    name: input.name,
    value: input.value === null || input.value === undefined ? '' : String(input.value),
    onBlur: input.onBlur,
    className: 'form-input',
  };
  if (field.type === 'longtext') {
    return <textarea {...shared} rows={3} maxLength={20_000} onChange={(event) => input.onChange(event.target.value)} />;
  }
  const isName = field.type === 'text' && /\bname\b/iu.test(field.name);
  return (
    <input
      {...shared}
      type={inputTypes[field.type] ?? 'text'}
      inputMode={field.type === 'number' || field.type === 'money' ? 'decimal' : undefined}
      autoComplete={isName ? 'name' : (completions[field.type] ?? 'off')}
      placeholder={examples[field.type]}
      maxLength={1000}
      onChange={(event) => input.onChange(event.target.value)}
    />
  );
}

function OneChoice({ field, input, ids, aria }: AnswerProps & { field: Extract<Field, { type: 'choice' }> }) {
  const shape = choiceShape(field);
  return (
    <div className={`form-${shape}`} role="radiogroup" aria-labelledby={ids.label} {...aria}>
      {field.choices.map((choice, i) => {
        const { title, text } = choiceLines(choice.name);
        return (
          <label key={choice.id} data-on={input.value === choice.id}>
            <input
              type="radio"
              className="sr-only"
              name={ids.control}
              value={choice.id}
              checked={input.value === choice.id}
              {...(i === 0 ? { ref: input.ref } : {})}
              onChange={() => input.onChange(choice.id)}
              onBlur={(event) => leavesGroup(event.currentTarget, event.relatedTarget) && input.onBlur()}
            />
            {shape === 'cards' && <span className="form-radio" />}
            <span className="min-w-0">
              <b>{title}</b>
              {text !== null && <small>{text}</small>}
            </span>
          </label>
        );
      })}
    </div>
  );
}

/** A group is checked when the focus leaves all of it. */
function leavesGroup(from: HTMLElement, to: EventTarget | null): boolean {
  return !(to instanceof Node) || from.closest('[role="radiogroup"], [role="group"]')?.contains(to) !== true;
}

function ManyChoices({ field, input, ids, aria }: AnswerProps & { field: Extract<Field, { type: 'choices' }> }) {
  const chosen = Array.isArray(input.value) ? input.value : [];
  const { 'aria-required': _, ...groupAria } = aria;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lay out its legend beside the hint.
    <div className="form-chips" role="group" aria-labelledby={ids.label} {...groupAria}>
      {field.choices.map((choice, i) => {
        const on = chosen.includes(choice.id);
        return (
          <label key={choice.id} data-on={on}>
            <input
              type="checkbox"
              className="sr-only"
              checked={on}
              {...(i === 0 ? { ref: input.ref } : {})}
              onChange={() => input.onChange(on ? chosen.filter((id) => id !== choice.id) : [...chosen, choice.id])}
              onBlur={(event) => leavesGroup(event.currentTarget, event.relatedTarget) && input.onBlur()}
            />
            {on && <Icon of={Check} size={14} />}
            {choice.name}
          </label>
        );
      })}
    </div>
  );
}

function YesNo({ question, input, problem, ids, aria, hintText }: AnswerProps & { hintText: string }) {
  const on = input.value === true;
  return (
    <div className="form-question" data-wide>
      <label className="form-tick">
        <input
          {...aria}
          type="checkbox"
          className="sr-only"
          ref={input.ref}
          checked={on}
          onChange={() => input.onChange(!on)}
          onBlur={input.onBlur}
        />
        <span className="check" data-on={on}>
          <Icon of={Check} size={14} strokeWidth={3} />
        </span>
        <span>
          {question.label} {hintText !== '' && <span id={ids.hint}>{hintText}</span>}
        </span>
      </label>
      <Problem id={ids.problem} text={problem} />
    </div>
  );
}

interface ThanksProps {
  readonly view: FormView;
  readonly list: List;
  readonly questions: readonly Question[];
  readonly answers: Answers;
  /** Which record of its list it is, from 1. */
  readonly number: number;
  readonly onChange: () => void;
  readonly onAnother: (() => void) | null;
}

function Thanks({ view, list, questions, answers, number, onChange, onAnother }: ThanksProps) {
  const titleOf = useTitleOf(list);
  const shownOf = (question: Question) =>
    showValue(question.field, storedValue(question, answers[question.field.id] ?? null), { long: true, titleOf });
  const shown = (fieldId: string) => {
    if (fieldId === 'number') return String(number);
    const question = questions.find(({ field }) => field.id === fieldId);
    return question === undefined ? '' : shownOf(question);
  };
  const firstWord = (fieldId: string) => shown(fieldId).split(/\s+/u)[0] ?? '';
  const known = { ...answers, number };
  const title = filledText(view.thanks?.title ?? 'Thank you.', known, firstWord);
  const text = filledText(view.thanks?.text ?? `Your ${list.one} has arrived.`, known, shown);
  const filled = questions.filter(({ field }) => !isEmpty(answers[field.id] ?? null));
  return (
    <div className="form-thanks">
      <span className="form-done" aria-hidden="true">
        <Icon of={Check} size={36} strokeWidth={2.4} />
      </span>
      <h1 tabIndex={-1} ref={focusOnce}>
        {title}
      </h1>
      <p className="form-lead">{text}</p>
      {view.thanks?.summary !== false && filled.length > 0 && (
        <dl>
          {filled.map((question) => (
            <div key={question.field.id}>
              <dt>{question.label.replace(/\?$/, '')}</dt>
              <dd>
                {question.field.type === 'image' || question.field.type === 'rating' ? (
                  <FieldValue field={question.field} value={answers[question.field.id] ?? null} size="sheet" />
                ) : (
                  shownOf(question)
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="form-send">
        <Button size="large" icon={Pencil} onClick={onChange}>
          Change my answers
        </Button>
        {onAnother && (
          <Button size="large" kind="ghost" onClick={onAnother}>
            Send another
          </Button>
        )}
      </div>
    </div>
  );
}

/** The thanks take the place of the form, so the focus goes there. */
function focusOnce(heading: HTMLElement | null): void {
  heading?.focus();
}
