import { Switch } from 'radix-ui';
import { useId } from 'react';
import { texts } from '../texts.ts';

/** Whether the film stays as long as it is while a scene's length is changed. */
export function HoldTotal({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 text-[13px]" title={texts.plan.holdTotalHint}>
      <label htmlFor={id} className="cursor-pointer text-ink-2">
        {texts.plan.holdTotal}
      </label>
      <Switch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        className="h-5 w-9 cursor-pointer rounded-full bg-line-strong p-0.5 transition-colors data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-4 rounded-full bg-panel transition-transform data-[state=checked]:translate-x-4" />
      </Switch.Root>
    </div>
  );
}
