import type { FormatScene } from '#kinds/film/contract/film.ts';
import type { Reading, ReadingRequest, ReadingSpan } from '#kinds/film/contract/reading.ts';
import { seedOfText } from '../author/author.ts';
import { iconsOf } from '../author/icons.ts';
import { paletteOf } from '../author/palette.ts';
import { type FilmPlan, planFilm } from '../author/plan-film.ts';
import { rulesVersion } from '../author/read/read.ts';
import type { Block } from '../author/read/reading.ts';
import { formatOf } from '../formats/catalogue.ts';
import { conversionsOf, lostTexts } from './convert.ts';
import { withoutUnknownIcons } from './document.ts';

/** Maximum number of other formats that a scene is offered in. */
const maxOthers = 5;

/** Reads a request and plans its film, as the built-in author does when a project is created. */
export function readingOf({ text, seed = seedOfText(text), hints, theme, ...request }: ReadingRequest): Reading {
  const plan = planFilm({ ...request, prompt: text, seed, hints, theme, answers: [] });
  const { reading } = plan;
  const spans = withWholeDrawings(text, plan.spans);
  const film = withoutUnknownIcons(plan.film);
  const isEmpty = reading.blocks.length === 0 && reading.brand === null;
  const { instructions } = reading;
  const drawings = spans.filter(({ state }) => state === 'needs-drawing');
  const isShown = ({ state }: ReadingSpan) => state === 'shown' || state === 'question';
  const scenes: Reading['scenes'] = isEmpty
    ? []
    : plan.film.scenes.map((scene, index) => ({ id: scene.id, at: plan.positions[index] ?? 0, others: othersOf(scene, plan) }));
  return {
    rules: rulesVersion,
    spans: spans.map(withTitle),
    blocks: reading.blocks.flatMap((block) => foldedBlock(block, reading)),
    film: isEmpty ? null : film,
    scenes,
    palette: isEmpty ? null : paletteOf(film),
    icons: isEmpty ? {} : iconsOf([film.scenes, scenes]),
    chosen: [
      ...((hints.style ?? instructions.style) === null ? [] : ['style' as const]),
      ...((theme ?? instructions.theme ?? instructions.dark) === null ? [] : ['theme' as const]),
      ...((hints.aspect ?? instructions.aspect) === null ? [] : ['aspect' as const]),
      ...((hints.durationSeconds ?? instructions.seconds) === null ? [] : ['length' as const]),
      ...(Object.keys(instructions.colors).length === 0 ? [] : ['colors' as const]),
    ],
    drawing: drawings.length === 0 ? null : { words: drawnTexts(text, drawings), isAll: !spans.some(isShown) },
  };
}

/** Returns the words that need a drawing, a sentence at a time. */
function drawnTexts(text: string, drawings: readonly ReadingSpan[]): string[] {
  const sentences: { start: number; end: number }[] = [];
  for (const { start, end } of drawings) {
    const last = sentences.at(-1);
    if (last !== undefined && !/[\p{L}\p{N}.!?…。\n]/u.test(text.slice(last.end, start))) last.end = end;
    else sentences.push({ start, end });
  }
  return sentences.map(({ start, end }) => text.slice(start, end).trim());
}

/** The other clauses of a sentence that needs a drawing belong to the drawing, unless a rule says what they are. */
function withWholeDrawings(text: string, spans: readonly ReadingSpan[]): ReadingSpan[] {
  const isOneSentence = (one: ReadingSpan, other: ReadingSpan) =>
    !/[.!?…。\n]/u.test(text.slice(Math.min(one.end, other.end), Math.max(one.start, other.start)));
  const drawings = spans.filter(({ state }) => state === 'needs-drawing');
  return spans.map((span) => {
    const isProse = span.state === 'shown' && span.rule === 12;
    return isProse && drawings.some((drawing) => isOneSentence(span, drawing)) ? { ...span, state: 'needs-drawing' } : span;
  });
}

/** Says a format by its title. */
function withTitle(span: ReadingSpan): ReadingSpan {
  if (span.sets?.look !== 'format') return span;
  return { ...span, sets: { look: 'format', value: formatOf(span.sets.value)?.title ?? span.sets.value } };
}

function othersOf(scene: FormatScene, { film, alternatives }: FilmPlan): Reading['scenes'][number]['others'] {
  const planned = (alternatives[scene.id] ?? []).map(({ format, props }) => ({
    format,
    props: props as FormatScene['props'],
    lost: lostTexts(scene.props, props),
  }));
  const converted = conversionsOf(scene, film.language).flatMap((one) =>
    one.props === null ? [] : [{ format: one.format, props: one.props, lost: one.lost }],
  );
  const others = new Map([...converted, ...planned].map((other) => [other.format, other]));
  others.delete(scene.format);
  return [...others.values()].toSorted((one, other) => one.lost.length - other.lost.length).slice(0, maxOthers);
}

/** Returns the data that a block shows and that can be folded, or nothing for a text. */
function foldedBlock(block: Block, { positionOf }: FilmPlan['reading']): Reading['blocks'] {
  const found = kindOf(block);
  return found === null ? [] : [{ start: positionOf(block.start), end: positionOf(block.end), ...found }];
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

function kindOf(block: Block): Pick<Reading['blocks'][number], 'kind' | 'size'> | null {
  switch (block.kind) {
    case 'table':
      return {
        kind: block.isJson ? 'json' : 'table',
        size: `${counted(block.rows.length, 'row')}, ${counted(Math.max(0, ...block.rows.map(({ length }) => length)), 'column')}`,
      };
    case 'chat':
      return { kind: 'chat', size: counted(block.messages.length, 'message') };
    case 'code':
      return { kind: block.language === 'json' ? 'json' : 'code', size: counted(block.code.split('\n').length, 'line') };
    case 'terminal':
      return { kind: 'terminal', size: counted(block.commands.length, 'command') };
    case 'list': {
      if (block.marks === 'inline' || block.marks === 'lines') return null;
      const leads = block.items.flatMap(({ lead }) => lead ?? []);
      const size = counted(block.items.length, 'entry', 'entries');
      if (block.marks === 'check') return { kind: 'checklist', size };
      if (block.items.some(({ value }) => /^(?:feat|fix|perf|refactor|docs|chore)$/u.test(value ?? '')))
        return { kind: 'changelog', size };
      if (leads.length <= block.items.length / 2) return { kind: 'list', size };
      return { kind: leads.some((lead) => /\d[:.h]\d\d|\d\s?[ap]m/iu.test(lead)) ? 'agenda' : 'timeline', size };
    }
    default:
      return null;
  }
}
