import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { type ModelProvider, modelProviderSchema } from '../../../server/contract/settings.ts';
import { texts } from '../texts.ts';

interface ProviderChoiceProps {
  value: ModelProvider;
  isFixed: boolean;
  onChange: (value: string) => void;
}

/** Who answers for the agent. */
export function ProviderChoice({ value, isFixed, onChange }: ProviderChoiceProps) {
  const id = useId();
  const { provider, providers } = texts.settings.model;
  return (
    <RadioGroup.Root
      aria-label={provider}
      value={value}
      onValueChange={onChange}
      disabled={isFixed}
      className="overflow-hidden rounded-xl border border-line bg-panel"
    >
      {modelProviderSchema.options.map((name) => (
        <label
          key={name}
          htmlFor={`${id}-${name}`}
          className="flex cursor-pointer items-start gap-3 border-line border-t p-4 first:border-t-0 hover:bg-sunken has-disabled:cursor-default has-disabled:hover:bg-transparent"
        >
          <RadioGroup.Item
            id={`${id}-${name}`}
            value={name}
            aria-labelledby={`${id}-${name}-title`}
            aria-describedby={`${id}-${name}-text`}
            className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-full border border-ink-3 bg-panel data-[state=checked]:border-accent data-[state=checked]:bg-accent"
          >
            <RadioGroup.Indicator className="size-1.5 rounded-full bg-accent-ink" />
          </RadioGroup.Item>
          <span className="min-w-0">
            <span id={`${id}-${name}-title`} className="block font-medium text-[13px]">
              {providers[name].title}
            </span>
            <span id={`${id}-${name}-text`} className="mt-0.5 block text-pretty text-[13px] text-ink-2 leading-5">
              {providers[name].text}
            </span>
          </span>
        </label>
      ))}
    </RadioGroup.Root>
  );
}
