import { MonitorPlay } from 'lucide-react';
import { useView, useWorkbench } from '../project/context.ts';
import { shownTab } from '../project/workbench.ts';
import { texts } from '../texts.ts';
import { Empty } from '../ui/empty.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { PreviewDesk } from './preview-desk.tsx';

export default function LivePreview() {
  const url = useView((view) => view.project.previewUrl);
  const running = useView((view) => view.project.running);
  const chosen = useWorkbench((state) => state.chosenTab);
  const active = useView((view) => shownTab(chosen, view) === 'preview');
  if (url !== null) return <PreviewDesk key={url} url={url} active={active} />;
  return running ? (
    <Empty icon={<Spinner />} title={texts.preview.starting} text={texts.stage.noPreviewText} />
  ) : (
    <Empty icon={<MonitorPlay />} title={texts.stage.noPreviewTitle} text={texts.stage.noPreviewText} />
  );
}
