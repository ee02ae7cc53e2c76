import { type MessageAddition, messagePrefix } from '../../kind-page.ts';
import { useShownTab, useView } from '../../project/context.ts';
import { unsavedReason, useEditor, useEditorState } from './editor/document-store.ts';
import { FeedbackEffect, useFeedbackReading } from './feedback-reading.tsx';

/** Returns the number of the scene that a message is about, or `null` if it is about the whole film. */
function useSceneNumber(): number | null {
  const showsFilm = useShownTab() === 'preview';
  const isFree = useView(({ approval }) => approval === null || approval.type === 'preview' || approval.type === 'plan');
  const index = useEditorState(({ film, about }) => film?.film.scenes.findIndex(({ id }) => id === about) ?? -1);
  return showsFilm && isFree && index >= 0 ? index + 1 : null;
}

const sceneLabel = (number: number) => `Scene ${number}`;

/**
 * Adds the scene that is being edited, and what the message would change. A message about a plan or film refers to it as it is
 * shown, with all edits.
 */
export function useMessageAddition(text: string): MessageAddition {
  const editor = useEditor();
  const sceneNumber = useSceneNumber();
  const answersPlan = useView((view) => view.approval?.type === 'plan');
  const unsaved = useEditorState(unsavedReason);
  const feedback = useFeedbackReading(text, sceneNumber === null ? '' : messagePrefix(sceneLabel(sceneNumber)));
  return {
    about:
      sceneNumber === null
        ? null
        : {
            label: sceneLabel(sceneNumber),
            clearLabel: `Write about the whole film instead of scene ${sceneNumber}`,
            clear: () => editor.clearAbout(),
          },
    marks: feedback?.marks ?? [],
    effect: feedback && <FeedbackEffect feedback={feedback} />,
    problem: answersPlan ? unsaved : null,
    prepare: async () => void (await editor.settle()),
  };
}
