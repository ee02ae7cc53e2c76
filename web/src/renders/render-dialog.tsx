import { useMutation } from '@tanstack/react-query';
import { RadioGroup } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { frameSize, type Preset, presetSchema, resolutionSchema } from '../../../server/contract/render.ts';
import { api } from '../api/client.ts';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { cx } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FrameIcon } from '../ui/frame-icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';

export function RenderDialog() {
  const { workbench } = useProject();
  const open = useWorkbench((state) => state.renderDialog);
  const close = () => workbench.setState({ renderDialog: false });
  return (
    <Dialog title={texts.renders.dialogTitle} text={texts.renders.dialogText} open={open} onClose={close}>
      <RenderForm onDone={close} />
    </Dialog>
  );
}

type Target = Preset | 'custom';
const targets: readonly Target[] = ['custom', ...presetSchema.options];
const fpsOptions = [
  { value: '60', label: '60' },
  { value: '30', label: '30' },
] as const;
const formatOptions = [
  { value: 'mp4', label: 'MP4' },
  { value: 'webm', label: 'WebM' },
] as const;

function RenderForm({ onDone }: { onDone: () => void }) {
  const { projectId, workbench } = useProject();
  const aspect = useView((view) => view.plan?.aspect ?? view.project.aspect ?? '16:9');
  const moves = useView((view) => view.moves);
  const [target, setTarget] = useState<Target>('custom');
  const [resolution, setResolution] = useState<(typeof resolutionSchema.options)[number]>('1080p');
  const [fps, setFps] = useState<'30' | '60'>('60');
  const [format, setFormat] = useState<'mp4' | 'webm'>('mp4');
  const start = useMutation({
    mutationFn: () =>
      api.startRender(
        projectId,
        target === 'custom'
          ? { kind: 'final', resolution, fps: fps === '60' ? 60 : 30, format }
          : { kind: 'final', preset: target, format: 'mp4' },
      ),
    onSuccess: () => {
      workbench.setState({ chosenTab: { tab: 'video', moves }, pane: 'watch' });
      onDone();
    },
  });
  const size = frameSize(aspect, resolution);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
      className="mt-5 flex flex-col gap-5"
    >
      <fieldset>
        <legend className="mb-2 text-[13px] text-ink-2">{texts.renders.for}</legend>
        <RadioGroup.Root
          value={target}
          aria-label={texts.renders.for}
          onValueChange={(next) => setTarget(targets.find((candidate) => candidate === next) ?? 'custom')}
          className="grid grid-cols-1 gap-2 sm:grid-cols-2"
        >
          {targets.map((name) => (
            <RadioGroup.Item
              key={name}
              value={name}
              aria-label={texts.renders.presets[name].label}
              className={cx(
                'flex items-center gap-3 rounded-xl border px-3.5 py-2.5 text-left transition-colors',
                name === target ? 'border-accent bg-accent-soft' : 'border-line-strong hover:border-ink-3',
              )}
            >
              <FrameIcon aspect={name === 'custom' ? aspect : name === 'reels' || name === 'tiktok' ? '9:16' : '16:9'} />
              <span className="min-w-0">
                <span className="block font-medium">{texts.renders.presets[name].label}</span>
                <span className="block text-ink-2 text-xs">{texts.renders.presets[name].detail}</span>
              </span>
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
      </fieldset>
      {target === 'custom' && (
        <div className="flex flex-col gap-3">
          <Row label={texts.renders.resolution} note={`${size.width}×${size.height}`}>
            <Choice
              label={texts.renders.resolution}
              value={resolution}
              options={resolutionSchema.options.map((name) => ({ value: name, label: name === '4k' ? '4K' : name }))}
              onChange={setResolution}
            />
          </Row>
          <Row label={texts.renders.fps}>
            <Choice label={texts.renders.fps} value={fps} options={fpsOptions} onChange={setFps} />
          </Row>
          <Row label={texts.renders.format}>
            <Choice label={texts.renders.format} value={format} options={formatOptions} onChange={setFormat} />
          </Row>
        </div>
      )}
      {start.isError && <ErrorNotice error={start.error} onDismiss={() => start.reset()} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{texts.common.cancel}</Button>
        <Button variant="primary" type="submit" disabled={start.isPending}>
          {start.isPending && <Spinner />}
          {start.isPending ? texts.renders.starting : texts.renders.start}
        </Button>
      </div>
    </form>
  );
}

function Row({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span aria-hidden="true" className="w-36 text-[13px] text-ink-2">
        {label}
      </span>
      {children}
      {note && <span className="text-ink-3 text-xs tabular-nums">{note}</span>}
    </div>
  );
}
