import type { Field, ViewType } from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { type AppPlan, currencyOf, type Edited, fieldKey, hasView, removeField, toggleView } from './plan.ts';

interface Option {
  readonly id: string;
  readonly label: string;
  /** Field that the answer adds to the first list. */
  readonly field?: Field;
  /** View that the answer adds for the first list. */
  readonly view?: ViewType;
}

/** A question whose answer changes the plan. None has to be answered. */
export interface PlanQuestion {
  readonly id: string;
  readonly text: string;
  readonly options: readonly Option[];
}

const mostQuestions = 3;

/** Questions about what a plan does not have yet. */
export function questionsFor({ document }: AppPlan): PlanQuestion[] {
  const [list] = document.lists;
  if (list === undefined) return [];
  const has = (type: Field['type']) => document.lists.some(({ fields }) => fields.some((field) => field.type === type));
  const free = (id: string) => !list.fields.some((field) => field.id === id);
  const questions: PlanQuestion[] = [];
  if (!has('money') && free('price')) {
    const field: Field = { id: 'price', name: 'Price', type: 'money', currency: currencyOf(document) };
    questions.push({
      id: 'money',
      text: 'Is there money in it?',
      options: [
        { id: 'price', label: `A price for each ${list.one}`, field },
        { id: 'no', label: 'No' },
      ],
    });
  }
  if (!has('date') && free('date') && free('due'))
    questions.push({
      id: 'date',
      text: 'Does a day matter?',
      options: [
        { id: 'due', label: 'When it is due', field: { id: 'due', name: 'Due', type: 'date' } },
        { id: 'date', label: 'When it takes place', field: { id: 'date', name: 'Date', type: 'date' } },
        { id: 'no', label: 'No' },
      ],
    });
  if (!hasView(document, 'form', list.id))
    questions.push({
      id: 'form',
      text: `Who enters ${list.name.toLowerCase()}?`,
      options: [
        { id: 'we', label: 'We do' },
        { id: 'visitors', label: 'Visitors too, with a form', view: 'form' },
      ],
    });
  if (!has('image') && free('picture'))
    questions.push({
      id: 'picture',
      text: 'With pictures?',
      options: [
        { id: 'yes', label: 'Yes', field: { id: 'picture', name: 'Picture', type: 'image' } },
        { id: 'no', label: 'No' },
      ],
    });
  return questions.slice(0, mostQuestions);
}

/** Answers a question, and takes back what its answer before has added. The same answer again takes itself back. */
export function answered(plan: AppPlan, question: PlanQuestion, optionId: string): Edited {
  const listId = plan.document.lists[0]?.id ?? '';
  const before = question.options.find(({ id }) => id === plan.answers[question.id]);
  let next = plan;
  const notes: string[] = [];
  const apply = (edited: Edited) => {
    next = edited.plan;
    notes.push(...edited.notes);
  };
  if (before?.field !== undefined) apply(removeField(next, listId, before.field.id));
  if (before?.view !== undefined && hasView(next.document, before.view, listId)) apply(toggleView(next, before.view, listId));
  const { [question.id]: _, ...others } = next.answers;
  const isSame = before?.id === optionId;
  next = { ...next, answers: isSame ? others : { ...others, [question.id]: optionId } };
  const option = isSame ? undefined : question.options.find(({ id }) => id === optionId);
  const { field, view } = option ?? {};
  if (field !== undefined) {
    const lists = next.document.lists.map((list) =>
      list.id === listId && list.fields.length < 60 ? { ...list, fields: [...list.fields, field] } : list,
    );
    next = {
      ...next,
      document: { ...next.document, lists },
      origins: { ...next.origins, [fieldKey(listId, field.id)]: { from: 'answer' } },
    };
  }
  if (view !== undefined && !hasView(next.document, view, listId)) apply(toggleView(next, view, listId));
  return { plan: next, notes };
}
