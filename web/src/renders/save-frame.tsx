import { useMutation } from '@tanstack/react-query';
import { Camera } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useContext } from 'react';
import { toApiError } from '../api/client.ts';
import { MenuContainer } from '../preview/menu.tsx';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';
import { requestStill, type StillRequest } from './saved-stills.ts';

const pictures = {
  png: { format: 'png' },
  png4k: { format: 'png', resolution: '4k' },
  transparent: { format: 'png', transparent: true },
  jpeg: { format: 'jpeg' },
} as const satisfies Record<keyof typeof texts.renders.controls.stills, StillRequest['picture']>;

interface SaveFrameProps {
  /** The moment of the film that is shown, in seconds; asked for when a picture of it is wanted. */
  momentSeconds: () => number;
  /** Values of the film's parameters in what is shown. */
  parameters?: StillRequest['parameters'];
  /** The choice of pictures is open: what plays should stand still on the frame that is meant. */
  onOpen: () => void;
  disabled?: boolean;
  className?: string;
}

/** Saves a picture of the moment that is shown, drawn anew from the film. */
export function SaveFrame({ momentSeconds, parameters, onOpen, disabled = false, className }: SaveFrameProps) {
  const container = useContext(MenuContainer);
  const { projectId } = useProject();
  const fps = useView((view) => view.plan?.fps ?? 60);
  const request = useMutation({
    mutationFn: async (kind: keyof typeof pictures) => {
      const atSeconds = momentSeconds();
      await requestStill(projectId, { atSeconds, picture: pictures[kind], parameters });
      return Math.round(atSeconds * fps);
    },
    onSuccess: (frame) => toast(texts.renders.controls.saving(frame)),
    onError: (error) => toast(toApiError(error).message),
  });
  return (
    <DropdownMenu.Root modal={false} onOpenChange={(open) => open && onOpen()}>
      <DropdownMenu.Trigger asChild>
        <IconButton label={texts.renders.controls.saveFrame} className={className} disabled={disabled || request.isPending}>
          <Camera className="size-4" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-56 animate-fade rounded-xl border border-line bg-panel p-1 shadow-lift"
        >
          <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-ink-3 text-xs">
            {texts.renders.controls.saveFrameHint}
          </DropdownMenu.Label>
          {(Object.keys(pictures) as (keyof typeof pictures)[]).map((kind) => (
            <DropdownMenu.Item
              key={kind}
              onSelect={() => request.mutate(kind)}
              className="cursor-pointer rounded-lg px-2.5 py-1.5 text-[13px] outline-none data-highlighted:bg-sunken"
            >
              {texts.renders.controls.stills[kind]}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
