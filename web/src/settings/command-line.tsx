import { CopyButton } from '../ui/copy.tsx';

/** Shows a command to copy. Koda runs no command itself. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className="mt-2 flex items-center gap-1 rounded-lg border border-line bg-panel py-0.5 pr-0.5 pl-2.5">
      <code className="wrap-anywhere min-w-0 flex-1 [font-variant-ligatures:none] font-mono text-xs leading-5">{command}</code>
      <CopyButton text={() => command} label={`Copy “${command}”`} className="size-7" />
    </div>
  );
}
