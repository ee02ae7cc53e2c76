import type { RenderRequest } from '#contract/render.ts';
import type { Film, FilmScene, FormatScene } from '#kinds/film/contract/film.ts';
import { maxDurationSeconds, maxScenes } from '#kinds/film/contract/film.ts';
import type { Change, State } from './change/change.ts';
import { sceneNumbersIn } from './change/change.ts';
import { itemChanges } from './change/items.ts';
import { lookChanges } from './change/look.ts';
import type { FilmAsset } from './plan-film.ts';
import { fitSeconds, planFilm, quotedScene } from './plan-film.ts';
import { clip } from './read/fill.ts';
import { lengthsOf } from './read/looks.ts';
import { pieceOf, type Span } from './read/reading.ts';
import { clausesOf, quotesOf, sentencesOf } from './read/sentences.ts';
import { renderRequestIn } from './render-request.ts';

const maxCharacters = 2000;
const maxRequests = 12;
const minSeconds = 1.5;
const tenth = (seconds: number) => Math.round(seconds * 10) / 10;

/** A part of a message, and what it does to the film. `note` tells the user. */
export type Step = Span &
  (
    | { readonly does: 'change'; readonly film: Film; readonly note: string }
    | { readonly does: 'nothing'; readonly note: string }
    | { readonly does: 'render'; readonly render: RenderRequest }
    | { readonly does: 'not-understood' }
  );

/**
 * Makes only the requested changes to a film. `explanation` tells the user what was and was not changed. Returns the same film
 * object if nothing changed. `render` is the final that the user requested, or `null`; a render request does not change the
 * film. `steps` says which words did what, in their order.
 */
export function changeFilm(
  film: Film,
  words: string,
  { assets }: { readonly assets: readonly FilmAsset[] },
): { film: Film; explanation: string; render: RenderRequest | null; steps: readonly Step[] } {
  const steps = stepsOf(film, words, assets);
  const done = steps.flatMap((step) => (step.does === 'change' ? [step] : []));
  const render = steps.findLast((step) => step.does === 'render')?.render ?? null;
  const failed = steps.flatMap((step) => {
    if (step.does === 'nothing') return [step.note];
    return step.does === 'not-understood' ? [`I did not understand “${clip(words.slice(step.start, step.end), 80)}”.`] : [];
  });
  if (steps.length === 0) failed.push('I did not understand that change.');
  const hint =
    done.length === 0 && render === null
      ? ' The film is unchanged. Try “second item: Tea”, “as a list”, “faster”, “vertical” or “make the title blue”.'
      : '';
  return {
    film: done.at(-1)?.film ?? film,
    explanation: [...done.map(({ note }) => note), ...failed.slice(0, 4)].join(' ').slice(0, 1000) + hint,
    render,
    steps,
  };
}

function stepsOf(film: Film, words: string, assets: readonly FilmAsset[]): Step[] {
  const text = words.slice(0, maxCharacters);
  const only = renderRequestIn(text);
  if (only !== null) return [{ ...trimmed(text, { start: 0, end: text.length }), does: 'render', render: only }];
  const state: State = { film, assets };
  const [prefix = '', number] = aboutScene.exec(text) ?? [];
  const scope = number === undefined ? undefined : film.scenes[Number(number) - 1];
  const clauses = changesIn(text, prefix.length);
  const steps = clauses.slice(0, maxRequests).map(({ text: clause, ...span }): Step => {
    const render = renderRequestIn(clause);
    if (render !== null) return { ...span, does: 'render', render };
    const result = scope === undefined ? firstChange(state, clause) : changeInScene(state, clause, scope.id);
    if (result === null) return { ...span, does: 'not-understood' };
    if (result.film === null) return { ...span, does: 'nothing', note: result.note };
    state.film = result.film;
    return { ...span, does: 'change', film: result.film, note: result.note };
  });
  const end = clauses.at(-1)?.end;
  const rest = clauses[maxRequests]?.start ?? (words.length > maxCharacters ? maxCharacters : undefined);
  if (rest === undefined || end === undefined) return steps;
  const note = `I read at most ${maxRequests} requests and ${maxCharacters} characters of a message, so I left out the rest.`;
  return [...steps, { start: rest, end: words.length > maxCharacters ? words.length : end, does: 'nothing', note }];
}

/** Start of a message about one scene, as the studio writes it. */
const aboutScene = /^Scene (\d{1,2}): /;

/** A request to show a text word for word, as the view for chat clients writes it. */
const quotingScene = /^add a scene that says “[^“”]+”$/iu;

/** A request, without what is around it in the message. */
interface Clause extends Span {
  readonly text: string;
}

/** Returns the requests of a message from position `from` on. */
function changesIn(text: string, from: number): Clause[] {
  const whole = trimmed(text, { start: from, end: text.length });
  const said = text.slice(whole.start, whole.end);
  if (quotingScene.test(said)) return [{ ...whole, text: said }];
  return sentencesOf(text, from, text.length)
    .flatMap((sentence): Clause[] => {
      const source = text.slice(sentence.start, sentence.end);
      // Commas in quoted or new text do not separate requests.
      const isWhole =
        /:\s|\b(?:says?|saying|with|durch|par|por|should be|soll|doit être|debe ser|instead|statt|item|titled?)\b/iu.test(
          source,
        ) && quotesOf(text, sentence.start, sentence.end).length === 0;
      if (!isWhole) return splitOutside(text, sentence);
      const clause = source.replace(/[.!]$/u, '');
      return [{ start: sentence.start, end: sentence.start + clause.length, text: clause }];
    })
    .map((clause) => {
      const start = clause.end - text.slice(clause.start, clause.end).replace(polite, '').length;
      return { ...trimmed(text, { start, end: clause.end }), text: clause.text.replace(polite, '').trim() };
    })
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause.text));
}

/** Returns a span without the spaces at its ends. */
function trimmed(text: string, { start, end }: Span): Span {
  const source = text.slice(start, end);
  const from = end - source.trimStart().length;
  return { start: from, end: Math.max(from, start + source.trimEnd().length) };
}

const polite =
  /^(?:(?:and|but|also|then|please|pls|can you|could you|now|und|aber|auch|bitte|dann|et|mais|aussi|puis|s'il te plaît|y|pero|también|por favor|ok|okay)[\s,]+)+/iu;
const joiner =
  /\s+(?:and|but|und|aber|et|mais|y|pero)\s+(?=(?:make|add|remove|delete|use|set|change|move|swap|put|sort|faster|slower|smoother|calmer|more|less|vertical|square|dark|mach|füge|entferne|schneller|langsamer|ajoute|supprime|plus|añade|quita|más)\b)/giu;
const contrast = /\s+(?:but|aber|mais|pero)\s+/giu;

function splitOutside(text: string, span: Span): Clause[] {
  return clausesOf(text, span)
    .flatMap((piece) => splitSpan(text, piece, joiner))
    .flatMap((part) => {
      // “faster but smoother” is two requests of one word each.
      const halves = splitSpan(text, part, contrast);
      return halves.length === 2 ? halves : [part];
    })
    .map((part) => ({ ...part, text: text.slice(part.start, part.end).replace(/\s+/gu, ' ') }));
}

/** Splits a span of a text at a global pattern. */
function splitSpan(text: string, { start, end }: Span, pattern: RegExp): Span[] {
  const parts: Span[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(pattern)) {
    parts.push({ start: from, end: start + match.index });
    from = start + match.index + match[0].length;
  }
  return [...parts, { start: from, end }];
}

/** Makes a change in one scene only, unless the change is about the look of the whole film. */
function changeInScene(state: State, clause: string, sceneId: string): { film: Film | null; note: string } | null {
  const index = state.film.scenes.findIndex(({ id }) => id === sceneId);
  const scene = state.film.scenes[index];
  if (scene === undefined || sceneNumbersIn(clause, state.film.scenes.length).length > 1) return firstChange(state, clause);
  const named = firstChange(state, `scene ${index + 1} ${clause}`);
  if (named !== null) return named;
  const alone = firstOf(itemChanges, { ...state, film: { ...state.film, scenes: [scene] } }, clause);
  const [changed] = alone?.film?.scenes ?? [];
  if (alone === null || changed === undefined) return alone;
  const note = alone.note.replaceAll(/scene 1\b/giu, `scene ${index + 1}`);
  return { film: { ...state.film, scenes: state.film.scenes.with(index, changed) }, note };
}

function firstChange(state: State, clause: string): { film: Film | null; note: string } | null {
  return firstOf([...sceneChanges, ...itemChanges, ...lookChanges, changeTiming], state, clause);
}

function firstOf(changes: readonly Change[], state: State, clause: string): { film: Film | null; note: string } | null {
  for (const change of changes) {
    const result = change(state, clause);
    if (result !== null) return result;
  }
  return null;
}

const sceneWord = '(?:scenes?|szenen?|scènes?|escenas?|slides?)';

const removeScene: Change = ({ film }, clause) => {
  if (
    !new RegExp(
      `\\b(?:remove|delete|drop|cut|without|skip|lösche?|entferne?|ohne|weg|supprime|enlève|sans|quita|elimina|borra|sin)\\b.*${sceneWord}|${sceneWord}.*\\b(?:weg|löschen|entfernen)\\b`,
      'iu',
    ).test(clause)
  )
    return null;
  const numbers = sceneNumbersIn(clause, film.scenes.length);
  if (numbers.length === 0)
    return {
      film: null,
      note: `There is no such scene; the film has ${film.scenes.length === 1 ? 'one scene' : `${film.scenes.length} scenes`}.`,
    };
  if (numbers.length >= film.scenes.length) return { film: null, note: 'A film needs at least one scene, so I kept it.' };
  return {
    film: { ...film, scenes: film.scenes.filter((_, index) => !numbers.includes(index)) },
    note: `I removed scene ${numbers.map((number) => number + 1).join(' and ')}.`,
  };
};

const moveScene: Change = ({ film }, clause) => {
  if (!new RegExp(sceneWord, 'iu').test(clause)) return null;
  const numbers = sceneNumbersIn(clause, film.scenes.length);
  const [one, other] = numbers;
  const scenes = [...film.scenes];
  if (/\b(?:swap|switch|exchange|tausche?|vertausche|échange|inverse|intercambia)\b/iu.test(clause)) {
    if (one === undefined || other === undefined)
      return { film: null, note: 'Name the two scenes to swap, for example “swap scenes 1 and 2”.' };
    [scenes[one], scenes[other]] = [scenes[other] as FilmScene, scenes[one] as FilmScene];
    return { film: { ...film, scenes }, note: `I swapped scenes ${one + 1} and ${other + 1}.` };
  }
  if (!/\b(?:move|put|verschiebe?|setze?|déplace|mets|mueve|pon)\b/iu.test(clause)) return null;
  const isStart = /\b(?:start|beginning|front|first|anfang|début|principio|inicio)\b/iu.test(clause);
  const isEnd = /\b(?:end|last|ende|schluss|fin|final)\b/iu.test(clause);
  if (one === undefined || (other === undefined && !isStart && !isEnd)) return null;
  const [moved] = scenes.splice(one, 1);
  let goal = isStart ? 0 : scenes.length;
  if (!isStart && !isEnd && other !== undefined) {
    const isAfter = /\b(?:after|behind|nach|hinter|après|después)\b/iu.test(clause);
    goal = other + (isAfter ? 1 : 0) - (other > one ? 1 : 0);
  }
  scenes.splice(goal, 0, moved as FilmScene);
  return {
    film: { ...film, scenes },
    note: `I moved scene ${one + 1} to position ${Math.min(goal, film.scenes.length - 1) + 1}.`,
  };
};

const addScene: Change = ({ film, assets }, clause) => {
  const found =
    new RegExp(
      `\\b(?:add|insert|append|füge?|ajoute|añade|agrega)\\b.*?${sceneWord}\\s*(?:at the (?:start|end|beginning)\\s*)?(?:that (?:says|reads)|saying|with(?: the text)?|die sagt|mit(?: dem text)?|hinzu|qui dit|avec|que diga|con|:)\\s*[:,]?\\s*(.+)$`,
      'iu',
    ).exec(clause) ??
    /\b(?:end|finish|close|start|begin|open)\s+(?:it\s+)?with\s*:?\s*(.+)$|\b(?:ende|beende es|am ende|zum schluss|termine|finis|à la fin|termina|acaba|al final)\s*(?:mit|par|avec|con)?\s*:?\s+(.+)$/iu.exec(
      clause,
    );
  if (found === null) return null;
  const raw = (found[1] ?? found[2] ?? '').trim();
  const says = quotesOf(raw, 0, raw.length)[0]?.piece.text ?? pieceOf(raw, 0, raw.length)?.text ?? '';
  if (says === '') return null;
  if (film.scenes.length >= maxScenes)
    return { film: null, note: `A film can have at most ${maxScenes} scenes, so I added none.` };
  const planned = planFilm({
    prompt: says,
    hints: { style: film.style, aspect: film.aspect, durationSeconds: null },
    answers: [],
    assets,
    seed: film.seed,
  });
  const scene = quotedScene(raw, film.style) ?? planned.film.scenes[0];
  if (scene === undefined) return null;
  const isFirst = /\b(?:start|begin|open)\b|at the (?:start|beginning)|am anfang|au début|al principio/iu.test(
    clause.replace(raw, ''),
  );
  const taken = new Set(film.scenes.map(({ id }) => id));
  let number = film.scenes.length + 1;
  while (taken.has(`scene-${number}`)) number++;
  const added: FormatScene = { ...scene, id: `scene-${number}` };
  const total = film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  if (total + added.seconds > maxDurationSeconds)
    return { film: null, note: 'The film already has the maximum length, so I added no scene.' };
  return {
    film: { ...film, scenes: isFirst ? [added, ...film.scenes] : [...film.scenes, added] },
    note: `I added a scene at the ${isFirst ? 'start' : 'end'}: “${clip(says, 60)}”.`,
  };
};

const sceneChanges: readonly Change[] = [removeScene, moveScene, addScene];

const changeTiming: Change = ({ film }, clause) => {
  const wanted = lengthsOf(clause);
  const numbers = new RegExp(sceneWord, 'iu').test(clause) ? sceneNumbersIn(clause, film.scenes.length) : [];
  const isFaster =
    /\b(?:faster|quicker|quick|shorter|snappier|speed (?:it )?up|schneller|kürzer|plus (?:vite|rapide|court)|más (?:rápido|corto)|accélère)\b/iu.test(
      clause,
    );
  const isSlower =
    /\b(?:slower|longer|slow (?:it )?down|more time|langsamer|länger|plus (?:lent|long|lentement|longtemps)|más (?:lento|largo|despacio)|ralentis)\b/iu.test(
      clause,
    );
  if (wanted === null && !isFaster && !isSlower) return null;
  const factor = isFaster ? 0.8 : 1.25;
  const [number] = numbers;
  const total = film.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  let seconds: number[];
  if (number === undefined) {
    const goal = wanted ?? total * factor;
    if (goal > maxDurationSeconds || goal < minSeconds * film.scenes.length)
      return {
        film: null,
        note:
          goal > maxDurationSeconds
            ? `A film can last at most ${maxDurationSeconds} seconds, so I kept the length.`
            : `${film.scenes.length} scenes need at least ${tenth(minSeconds * film.scenes.length)} seconds, so I kept the length.`,
      };
    seconds = fitSeconds(
      film.scenes.map((scene) => scene.seconds),
      goal,
      false,
    );
  } else
    seconds = film.scenes.map((scene, index) =>
      index === number ? tenth(Math.max(minSeconds, wanted ?? scene.seconds * factor)) : scene.seconds,
    );
  const sum = tenth(seconds.reduce((all, each) => all + each, 0));
  if (sum > maxDurationSeconds)
    return { film: null, note: `A film can last at most ${maxDurationSeconds} seconds, so I kept the length.` };
  const scenes = film.scenes.map((scene, index) => ({ ...scene, seconds: seconds[index] ?? scene.seconds }));
  return {
    film: { ...film, scenes },
    note:
      number === undefined ? `The film now lasts ${sum} seconds.` : `Scene ${number + 1} now lasts ${seconds[number]} seconds.`,
  };
};
