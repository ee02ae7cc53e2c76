import { changeMessageId } from '#contract/project.ts';
import type { AuthorContext } from '../../projects/assignment.ts';

const always = ['set_thinking', 'add_message', 'search'];
const planning = ['list_formats', 'set_scenes', 'request_approval'];
const making = [
  ...['update_todo', 'set_scenes', 'list_formats', 'generate_code', 'sandbox_create', 'sandbox_run_command'],
  ...['sandbox_start_preview', 'check_animation', 'sandbox_screenshot', 'render_preview'],
  ...['file_edit', 'apply_code', 'sandbox_read_file', 'generate_image', 'generate_audio'],
];

const isChange = (key: string) => changeMessageId(key) !== null;
const isClosing = (key: string) => key === 'check' || key === 'preview';

/**
 * Returns the tools that a film's model is offered: one list while it plans, another one from then on. Each list stays the same
 * from phase to phase, because the tools are the start of every request, which the service caches.
 */
export function offeredTools({ phase, assets, todos }: Pick<AuthorContext, 'phase' | 'assets' | 'todos'>): readonly string[] {
  const isPlanning = phase === 'idle' || phase === 'question' || phase === 'plan';
  const forUploads = assets.length > 0 ? ['file_view'] : [];
  // A message about the finished film may ask for the video alone.
  const isFinished = todos.every(({ key, status }) => status === 'done' || isChange(key) || isClosing(key));
  const forMessages = isFinished && todos.some(({ key }) => isChange(key)) ? ['render_final'] : [];
  return isPlanning ? [...always, ...planning, ...forUploads] : [...always, ...making, ...forUploads, ...forMessages];
}
