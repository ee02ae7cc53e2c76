import { useState } from 'react';
import { countLevels } from '../../../preview/console-log.ts';
import { PreviewConsole } from '../../../preview/preview-console.tsx';
import { useConsole } from '../../../preview/use-console.ts';
import { useView } from '../../../project/context.ts';
import { Choice } from '../../../ui/fields.tsx';
import type { AppPage } from './app-page.ts';
import { NetworkList } from './network-list.tsx';
import { useAppPageState } from './use-app-page.ts';

/** The app's console. It opens by itself on the first error after a change of the code. */
export function useMessages(page: AppPage) {
  const { entries, clear } = useConsole(useAppPageState(page, (state) => state.lines));
  const { error: errors } = countLevels(entries);
  const codeVersion = useView((view) => view.codeVersion);
  const [open, setOpen] = useState(false);
  const [seen, setSeen] = useState({ errors: 0, codeVersion: -1 });
  if (errors !== seen.errors) {
    const isFirst = errors > seen.errors && codeVersion !== seen.codeVersion;
    setSeen({ errors, codeVersion: errors > seen.errors ? codeVersion : seen.codeVersion });
    if (isFirst) setOpen(true);
  }
  return { entries, clear, errors, open, toggle: () => setOpen(!open) };
}

interface MessagesProps {
  page: AppPage;
  messages: ReturnType<typeof useMessages>;
}

/** Console and network of the app. */
export function Messages({ page, messages }: MessagesProps) {
  const [shown, setShown] = useState<'console' | 'network'>('console');
  const requests = useAppPageState(page, (state) => state.requests);
  if (!messages.open) return null;
  const lead = (
    <Choice
      label="Messages"
      value={shown}
      options={[
        { value: 'console', label: 'Console' },
        { value: 'network', label: `Network ${requests.length}` },
      ]}
      onChange={setShown}
    />
  );
  return shown === 'console' ? (
    <PreviewConsole entries={messages.entries} onClear={messages.clear} lead={lead} />
  ) : (
    <NetworkList requests={requests} onClear={() => page.clearRequests()} lead={lead} />
  );
}
