import type { SurfaceIssue } from '#contract/surface/issues.ts';

/** Says why a surface is not shown. The words of the issue are for its author. */
export function SurfaceRefusal({ issue }: { issue: SurfaceIssue }) {
  return (
    <div role="alert" className="mt-2.5 rounded-lg bg-warn-soft px-3 py-2.5 text-[13px] leading-5">
      <p className="font-medium">{reasonOf(issue)}</p>
      <p className="wrap-anywhere text-ink-2">
        Nothing was run. <span className="font-mono text-xs">{issue.code}</span>
      </p>
    </div>
  );
}

function reasonOf({ code, message }: SurfaceIssue): string {
  if (code === 'UNKNOWN_COMPONENT' || code === 'SECURITY_VIOLATION') return 'The form has a part that is not allowed.';
  return message.startsWith('The form is too large') ? message : 'The form could not be read.';
}
