import type { ReactNode } from 'react';

/** What stands where something will be. */
interface EmptyProps {
  icon: ReactNode;
  title: string;
  text: string;
  /** True where this is the whole page: then it says what went wrong, and its title is the page's. */
  heading?: boolean;
  children?: ReactNode;
}

export function Empty({ icon, title, text, heading = false, children }: EmptyProps) {
  return (
    <div className="flex h-full min-h-48 flex-col items-center justify-center gap-1 px-6 py-10 text-center">
      <div aria-hidden="true" className="mb-2 text-ink-3 [&_svg]:size-6 [&_svg]:stroke-[1.5]">
        {icon}
      </div>
      {heading ? <h1 className="font-medium">{title}</h1> : <p className="font-medium">{title}</p>}
      <p role={heading ? 'alert' : undefined} className="max-w-80 text-balance text-[13px] text-ink-2">
        {text}
      </p>
      {children && <div className="mt-3">{children}</div>}
    </div>
  );
}
