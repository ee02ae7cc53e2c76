import { lazy, Suspense } from 'react';
import { useProject, useWorkbench } from '../project/context.ts';
import { Dialog } from '../ui/dialog.tsx';

// Loaded when first shown.
const RenderForm = lazy(() => import('./render-form.tsx'));

export function RenderDialog() {
  const { workbench } = useProject();
  const open = useWorkbench((state) => state.renderDialog);
  const close = () => workbench.setState({ renderDialog: false });
  return (
    <Suspense>
      <Dialog
        title="Render the final video"
        text="Koda draws every frame exactly, however long it takes."
        open={open}
        onClose={close}
        wide
      >
        {open && <RenderForm onDone={close} />}
      </Dialog>
    </Suspense>
  );
}
