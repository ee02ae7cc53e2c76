import { CornerUpLeft } from 'lucide-react';
import { toApiError } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { useProjectName } from '../project/project-name.ts';
import { projectHref, useFrom } from '../router.ts';
import { Link } from '../ui/elements.tsx';

/** Leads back to the conversation from which the page was opened, if its address names one. */
export function BackToConversation() {
  const { projectId } = useProject();
  const from = useFrom();
  return from === null || from === projectId ? null : <Back conversationId={from} />;
}

function Back({ conversationId }: { conversationId: string }) {
  const { data: name, error } = useProjectName(conversationId);
  if (error !== null) {
    // The conversation is deleted or belongs to somebody else. Other errors may pass.
    const { status } = toApiError(error);
    if (status >= 400 && status < 500) return null;
  }
  return (
    <nav aria-label="Way back" className="flex shrink-0 border-line border-b bg-panel px-1.5 sm:px-2.5">
      <Link
        href={projectHref(conversationId)}
        className="flex min-h-8 min-w-0 items-center gap-1.5 rounded-lg px-1.5 text-[13px] text-ink-2 -outline-offset-2 hover:text-ink max-md:min-h-11"
      >
        <CornerUpLeft aria-hidden="true" className="size-4 shrink-0" />
        <span className="truncate">{`Back to the conversation${name === undefined ? '' : ` “${name}”`}`}</span>
      </Link>
    </nav>
  );
}
