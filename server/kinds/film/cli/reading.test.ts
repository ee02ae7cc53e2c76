import { describe, expect, it } from 'vitest';
import { filmHintsSchema } from '#kinds/film/contract/film.ts';
import { readingRequestSchema } from '#kinds/film/contract/reading.ts';
import type { CommandContext, StudioClient } from '../../../cli/client.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readingOf } from '../document/read-request.ts';
import { readPrompt, type WordedCorrections } from './reading.ts';

const prompt = 'Title “Open day”. Bring a cup. 6 seconds';
const none: WordedCorrections = { show: [], leaveOut: [], follow: [], as: [] };

/** Reads as the studio does, with a user who types `answers`. */
function setUp(answers: string[] = []) {
  const notes: string[] = [];
  const call = async (_route: unknown, { body }: { body: unknown }) => readingOf(readingRequestSchema.parse(body));
  const context = {
    client: { call } as unknown as StudioClient,
    terminal: { note: (line: string) => notes.push(line), ask: async () => answers.shift() ?? '' } as unknown as Terminal,
    signal: new AbortController().signal,
  } as CommandContext;
  const read = (words: WordedCorrections, asks = false) =>
    readPrompt(prompt, { words, hints: filmHintsSchema.parse({}), asks }, context);
  return { notes, read };
}

const textOf = (value: unknown) => JSON.stringify(value);

describe('the reading on the command line', () => {
  it('A33: says of every word what it does', async () => {
    const { notes, read } = setUp();
    const { film } = await read(none);
    expect(notes).toEqual([
      '  For Koda: Title',
      '  Shown (title, scene 1): Open day',
      '  Shown (scene 1): Bring a cup.',
      '  For Koda (6 s): 6 seconds',
    ]);
    expect(textOf(film)).toContain('Bring a cup');
  });

  it('A33: follows corrections of the command, and of the terminal until Enter', async () => {
    expect(textOf((await setUp().read({ ...none, leaveOut: ['bring a cup'] })).film)).not.toContain('Bring a cup');
    const used = setUp();
    const { corrections } = await used.read({ ...none, as: ['title=Bring a cup'] });
    expect(corrections).toEqual([{ start: 18, end: 29, use: 'title' }]);
    expect(used.notes).toContainEqual(expect.stringMatching(/^ {2}Shown \(title, scene \d\): Bring a cup$/));
    const typed = setUp(['leave out nothing like it', 'leave out “Bring a cup”']);
    expect(textOf((await typed.read(none, true)).film)).not.toContain('Bring a cup');
    expect(typed.notes).toContain('“nothing like it” is not in the prompt. Write the words as they stand there.');
  });

  it('A33: refuses words that the prompt lacks, and uses that do not exist', async () => {
    await expect(setUp().read({ ...none, show: ['a hat'] })).rejects.toThrow('“a hat” is not in the prompt.');
    await expect(setUp().read({ ...none, as: ['hat=Open day'] })).rejects.toThrow('“hat” is no use of words.');
  });
});
