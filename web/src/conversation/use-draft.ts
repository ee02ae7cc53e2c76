import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { browserStorage, projectTextName } from '../browser-storage.ts';

/** A text that is written and not sent yet; it outlives a reload of the page. */
export function useDraft(projectId: string): [string, Dispatch<SetStateAction<string>>] {
  const name = projectTextName('message', projectId);
  const [text, setText] = useState(() => browserStorage.read(name) ?? '');
  useEffect(() => browserStorage.write(name, text === '' ? null : text), [name, text]);
  return [text, setText];
}
