import { useMutation } from '@tanstack/react-query';
import { Camera } from 'lucide-react';
import { type RenderRequestInput, renderApi, toApiError } from '../api/client.ts';
import { useProject, useRenderSubject } from '../project/context.ts';
import { IconButton } from '../ui/elements.tsx';
import { Menu, MenuItem, MenuTitle } from '../ui/menu.tsx';
import { toast } from '../ui/toasts.tsx';

/** Frame renders that this page requested and whose files it saves once they finish. */
const awaited = new Set<string>();

interface StillRequest {
  readonly atSeconds: number;
  readonly image: Pick<RenderRequestInput, 'format' | 'resolution' | 'transparent'>;
  readonly parameters: RenderRequestInput['parameters'];
}

/** Requests an image of the film at a time in seconds. Throws ApiError. */
async function requestStill(projectId: string, { atSeconds, image, parameters }: StillRequest): Promise<void> {
  const values = parameters ? { parameters } : {};
  const { id } = await renderApi.start(projectId, { kind: 'final', ...image, atSeconds, ...values });
  awaited.add(id);
}

/** Returns whether this page should save the render's file; `true` only once. */
export const takeAwaited = (renderId: string): boolean => awaited.delete(renderId);

const images = {
  png: { label: 'PNG', image: { format: 'png' } },
  png4k: { label: 'PNG, 4K', image: { format: 'png', resolution: '4k' } },
  transparent: { label: 'PNG with transparent background', image: { format: 'png', transparent: true } },
  jpeg: { label: 'JPEG', image: { format: 'jpeg' } },
} as const satisfies Record<string, { label: string; image: StillRequest['image'] }>;

interface SaveFrameProps {
  /** Returns the film time shown, in seconds. Called when the user requests the image. */
  atSeconds: () => number;
  parameters?: StillRequest['parameters'];
  /** Called when the menu opens, to pause playback on the chosen frame. */
  onOpen: () => void;
  disabled?: boolean;
  className?: string;
}

/** Saves an image of the frame on screen, rendered from the film. */
export function SaveFrame({ atSeconds, parameters, onOpen, disabled = false, className }: SaveFrameProps) {
  const { projectId } = useProject();
  const fps = useRenderSubject()?.fps ?? 60;
  const request = useMutation({
    mutationFn: async (kind: keyof typeof images) => {
      const seconds = atSeconds();
      await requestStill(projectId, { atSeconds: seconds, image: images[kind].image, parameters });
      return Math.round(seconds * fps);
    },
    onSuccess: (frame) => toast(`Rendering frame ${frame}. It downloads when it is ready.`),
    onError: (error) => toast(toApiError(error).message),
  });
  return (
    <Menu
      align="end"
      className="min-w-56"
      onOpen={onOpen}
      trigger={
        <IconButton icon={Camera} label="Save this frame" className={className} disabled={disabled || request.isPending} />
      }
    >
      <MenuTitle>Rendered from the film in full quality</MenuTitle>
      {(Object.keys(images) as (keyof typeof images)[]).map((kind) => (
        <MenuItem key={kind} onSelect={() => request.mutate(kind)}>
          {images[kind].label}
        </MenuItem>
      ))}
    </Menu>
  );
}
