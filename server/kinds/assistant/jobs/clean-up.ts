import { KodaError } from '#contract/errors.ts';
import type { Reply } from '../../../projects/author.ts';
import { alert, cancelButton, choice, counted, sizeText, surfaceOf, table, words } from '../surfaces.ts';
import { deletedSchema, storageSchema } from '../tools.ts';
import type { Turn } from '../turn.ts';
import { cancelled, type Job, problemsPart, several } from './job.ts';

/** Measures what takes space, and deletes the previews and older videos that the person chooses. */
export const cleanUp: Job = async (turn: Turn) => {
  const { output: storage, failure } = await turn.call('measure', 'measure_storage', { input: {}, output: storageSchema });
  if (failure !== null)
    throw new KodaError('EXECUTION_ERROR', `The storage cannot be measured. ${failure.message}`, { recovery: 'retry' });
  const title = `Koda uses ${sizeText(storage.total_bytes)}`;
  const parts = [
    ['Videos', storage.video_bytes],
    ['Previews', storage.preview_bytes],
    ['History', storage.history_bytes],
    ['Uploads', storage.upload_bytes],
    ['Caches and Koda’s own data', storage.other_bytes],
  ] as const;
  const data = { projects: storage.projects.map(({ name, size_bytes: bytes }) => ({ name, size: sizeText(bytes) })) };
  const measured = [
    {
      ...{ id: 'parts', component: 'Chart', label: 'What takes space', shape: 'bar' },
      bars: parts.map(([label, bytes]) => ({ label, value: bytes, text: sizeText(bytes) })),
    },
    table('projects', 'The largest projects', [
      ['Project', 'name'],
      ['Size', 'size'],
    ]),
  ];
  const candidates = storage.videos.filter((video) => !video.is_newest);
  if (candidates.length === 0) {
    const surface = surfaceOf(turn.surfaceId('result'), {
      ...{ title, data },
      parts: [alert('none', 'Nothing can go: there are no previews, and no older videos of a film.', 'info'), ...measured],
    });
    return { content: `${title}, and nothing of it can go.`, surface };
  }
  const options = candidates.map(({ id, name, size_bytes: bytes }) => ({ value: id, label: `${name}, ${sizeText(bytes)}` }));
  const before = several.safeParse(turn.enteredBefore('choose', ['videos'])['videos']).data ?? [];
  const chosenBefore = before.filter((id) => candidates.some((video) => video.id === id));
  const answer = await turn.form('choose', {
    content: `${title}. What may go?`,
    values: { videos: chosenBefore.length > 0 ? chosenBefore : candidates.map(({ id }) => id) },
    draw: (surfaceId, { values, problems }) =>
      surfaceOf(surfaceId, {
        title,
        parts: [
          ...problemsPart(problems),
          words('stays', 'Films stay, and so does the newest video of each size, format and set of parameters.'),
          ...measured,
          choice('videos', 'Previews and older videos that may go', options, 'multipleSelection'),
        ],
        data: { ...data, ...values },
        values: ['videos'],
        buttons: [{ id: 'delete', label: 'Delete the chosen videos…' }, cancelButton],
      }),
    check(entered) {
      const chosen = several.safeParse(entered['videos']).data ?? [];
      if (chosen.length === 0) return { problems: ['Choose at least one video.'] };
      const isKnown = chosen.every((id) => candidates.some((video) => video.id === id));
      return isKnown ? { value: [...new Set(chosen)] } : { problems: ['This is not one of the videos. Choose from the list.'] };
    },
  });
  if (answer === null) return cancelled;
  const deleted = await turn.call('delete', 'delete_videos', { input: { videos: answer.value }, output: deletedSchema });
  if (deleted.failure === null) return resultOf(turn, deleted.output);
  // The person has seen the exact names and kept them.
  if (deleted.failure.code === 'CANCELLED') return { content: deleted.failure.message };
  throw new KodaError('EXECUTION_ERROR', `The videos were not deleted. ${deleted.failure.message}`, { recovery: 'retry' });
};

function resultOf(turn: Turn, { deleted, failed }: ReturnType<typeof deletedSchema.parse>): Reply {
  const bytes = deleted.reduce((sum, { size_bytes: size }) => sum + size, 0);
  const title = `${sizeText(bytes)} freed`;
  const rows = [
    ...deleted.map(({ name, size_bytes: size }) => ({ name, size: sizeText(size), state: 'Deleted' })),
    ...failed.map(({ name, message }) => ({ name, size: '', state: message })),
  ];
  const summary = `${counted(deleted.length, 'video')} deleted${failed.length === 0 ? '.' : `, ${failed.length} not.`}`;
  return {
    content: `${title}: ${summary}`,
    surface: surfaceOf(turn.surfaceId('result'), {
      title,
      parts: [
        alert('summary', summary, failed.length === 0 ? 'success' : 'warning'),
        table('videos', 'What was deleted', [
          ['Video', 'name'],
          ['Size', 'size'],
          ['State', 'state'],
        ]),
      ],
      data: { videos: rows },
    }),
  };
}
