import { type ComponentProps, useId } from 'react';

export function Select({ label, children, ...props }: ComponentProps<'select'> & { label: string }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium text-[13px]">
        {label}
      </label>
      <select id={id} className="h-9 w-full rounded-lg border border-line-strong bg-panel px-3 text-sm" {...props}>
        {children}
      </select>
    </div>
  );
}
