import { useMutation } from '@tanstack/react-query';
import { Camera } from 'lucide-react';
import { type RenderRequestInput, renderApi, toApiError } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { IconButton } from '../ui/elements.tsx';
import { Menu, MenuItem, MenuTitle } from '../ui/menu.tsx';
import { toast } from '../ui/toasts.tsx';

/** Renders of single frames that this page requested: it saves their files when they finish. */
const awaited = new Set<string>();

interface StillRequest {
  readonly atSeconds: number;
  readonly picture: Pick<RenderRequestInput, 'format' | 'resolution' | 'transparent'>;
  readonly parameters: RenderRequestInput['parameters'];
}

/** Requests a picture of one moment of the film, in seconds. Throws an ApiError. */
async function requestStill(projectId: string, { atSeconds, picture, parameters }: StillRequest): Promise<void> {
  const values = parameters ? { parameters } : {};
  const { id } = await renderApi.start(projectId, { kind: 'final', ...picture, atSeconds, ...values });
  awaited.add(id);
}

/** Whether to save the file of that render; true once. */
export const takeAwaited = (renderId: string): boolean => awaited.delete(renderId);

const pictures = {
  png: { label: 'PNG', picture: { format: 'png' } },
  png4k: { label: 'PNG, 4K', picture: { format: 'png', resolution: '4k' } },
  transparent: { label: 'PNG without the background', picture: { format: 'png', transparent: true } },
  jpeg: { label: 'JPEG', picture: { format: 'jpeg' } },
} as const satisfies Record<string, { label: string; picture: StillRequest['picture'] }>;

interface SaveFrameProps {
  /** The shown moment of the film, in seconds; called when the user wants its picture. */
  momentSeconds: () => number;
  /** The parameter values of the shown film. */
  parameters?: StillRequest['parameters'];
  /** Called when the menu opens: playback should pause on the chosen frame. */
  onOpen: () => void;
  disabled?: boolean;
  className?: string;
}

/** Saves a picture of the shown moment, rendered from the film. */
export function SaveFrame({ momentSeconds, parameters, onOpen, disabled = false, className }: SaveFrameProps) {
  const { projectId } = useProject();
  const fps = useView((view) => view.plan?.fps ?? 60);
  const request = useMutation({
    mutationFn: async (kind: keyof typeof pictures) => {
      const atSeconds = momentSeconds();
      await requestStill(projectId, { atSeconds, picture: pictures[kind].picture, parameters });
      return Math.round(atSeconds * fps);
    },
    onSuccess: (frame) => toast(`Frame ${frame} is being drawn. It is saved when it is ready.`),
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
      <MenuTitle>Drawn again from the film, in full quality</MenuTitle>
      {(Object.keys(pictures) as (keyof typeof pictures)[]).map((kind) => (
        <MenuItem key={kind} onSelect={() => request.mutate(kind)}>
          {pictures[kind].label}
        </MenuItem>
      ))}
    </Menu>
  );
}
