import { useMutation } from '@tanstack/react-query';
import { Camera } from 'lucide-react';
import { toApiError } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuTitle } from '../ui/menu.tsx';
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
    <Menu
      align="end"
      className="min-w-56"
      onOpen={onOpen}
      trigger={
        <IconButton label={texts.renders.controls.saveFrame} className={className} disabled={disabled || request.isPending}>
          <Camera className="size-4" />
        </IconButton>
      }
    >
      <MenuTitle>{texts.renders.controls.saveFrameHint}</MenuTitle>
      {(Object.keys(pictures) as (keyof typeof pictures)[]).map((kind) => (
        <MenuItem key={kind} onSelect={() => request.mutate(kind)}>
          {texts.renders.controls.stills[kind]}
        </MenuItem>
      ))}
    </Menu>
  );
}
