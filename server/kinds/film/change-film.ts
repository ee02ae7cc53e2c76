import type { Film, FilmScene, FormatScene } from '#contract/film.ts';
import { maxDurationSeconds, maxScenes } from '#contract/film.ts';
import type { RenderRequest } from '#contract/render.ts';
import type { Change, State } from './change/change.ts';
import { sceneNumbersIn } from './change/change.ts';
import { itemChanges } from './change/items.ts';
import { lookChanges } from './change/look.ts';
import type { FilmAsset } from './plan-film.ts';
import { fitSeconds, planFilm, quotedScene } from './plan-film.ts';
import { lengthsOf } from './read/directions.ts';
import { clip } from './read/fill.ts';
import { pieceOf } from './read/reading.ts';
import { clausesOf, quotesOf, sentencesOf } from './read/sentences.ts';
import { renderRequestIn } from './render-request.ts';

const maxWords = 2000;
const minSeconds = 1.5;
const tenth = (seconds: number) => Math.round(seconds * 10) / 10;

/**
 * Makes only the requested changes to a film. `explanation` tells the user what was and was not changed. Returns the same film
 * object if nothing changed. `render` is the final that the user requested, or `null`; a render request does not change the
 * film.
 */
export function changeFilm(
  film: Film,
  words: string,
  { assets }: { readonly assets: readonly FilmAsset[] },
): { film: Film; explanation: string; render: RenderRequest | null } {
  const text = words.slice(0, maxWords);
  const only = renderRequestIn(text);
  if (only !== null) return { film, explanation: '', render: only };
  const state: State = { film, assets };
  let render: RenderRequest | null = null;
  const done: string[] = [];
  const failed: string[] = [];
  const [prefix = '', number] = aboutScene.exec(text) ?? [];
  const scope = number === undefined ? undefined : film.scenes[Number(number) - 1];
  for (const clause of changesIn(text.slice(prefix.length))) {
    const request = renderRequestIn(clause);
    if (request !== null) {
      render = request;
      continue;
    }
    const result = scope === undefined ? firstChange(state, clause) : changeInScene(state, clause, scope.id);
    if (result === null) failed.push(`I did not understand “${clip(clause, 80)}”.`);
    else if (result.film === null) failed.push(result.note);
    else {
      state.film = result.film;
      done.push(result.note);
    }
  }
  if (done.length === 0 && failed.length === 0 && render === null) failed.push('I did not understand that change.');
  const hint =
    done.length === 0 && render === null
      ? ' The film is unchanged. Try “second item: Tea”, “as a list”, “faster”, “vertical” or “make the title blue”.'
      : '';
  return {
    film: done.length === 0 ? film : state.film,
    explanation: [...done, ...failed.slice(0, 4)].join(' ').slice(0, 1000) + hint,
    render,
  };
}

/** Start of a message about one scene, as the studio writes it. */
const aboutScene = /^Scene (\d{1,2}): /;

/** A request to show a text word for word, as the view for chat clients writes it. */
const quotingScene = /^add a scene that says “[^“”]+”$/iu;

function changesIn(text: string): string[] {
  if (quotingScene.test(text.trim())) return [text.trim()];
  const parts = sentencesOf(text, 0, text.length).flatMap((sentence) => {
    const source = text.slice(sentence.start, sentence.end);
    // Commas in quoted or new text do not separate requests.
    if (
      /:\s|\b(?:says?|saying|with|durch|par|por|should be|soll|doit être|debe ser|instead|statt|item|titled?)\b/iu.test(source)
    ) {
      return quotesOf(text, sentence.start, sentence.end).length > 0
        ? splitOutside(text, sentence)
        : [source.replace(/[.!]$/u, '')];
    }
    return splitOutside(text, sentence);
  });
  return parts
    .map((part) => part.replace(polite, '').trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .slice(0, 12);
}

const polite =
  /^(?:(?:and|but|also|then|please|pls|can you|could you|now|und|aber|auch|bitte|dann|et|mais|aussi|puis|s'il te plaît|y|pero|también|por favor|ok|okay)[\s,]+)+/iu;
const joiner =
  /\s+(?:and|but|und|aber|et|mais|y|pero)\s+(?=(?:make|add|remove|delete|use|set|change|move|swap|put|sort|faster|slower|smoother|calmer|more|less|vertical|square|dark|mach|füge|entferne|schneller|langsamer|ajoute|supprime|plus|añade|quita|más)\b)/iu;

function splitOutside(text: string, span: { start: number; end: number }): string[] {
  return clausesOf(text, span)
    .flatMap((piece) => piece.text.split(joiner))
    .flatMap((part) => {
      // “faster but smoother” is two requests of one word each.
      const [one, other, ...more] = part.split(/\s+(?:but|aber|mais|pero)\s+/iu);
      return one !== undefined && other !== undefined && more.length === 0 ? [one, other] : [part];
    });
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
