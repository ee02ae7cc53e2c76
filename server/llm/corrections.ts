import type { Correction } from '../tools/context.ts';
import type { ModelMessage } from './models/model.ts';
import { observe } from './observation.ts';

const note =
  'The files are written, but their check found this. Correct all problems, and all remarks except those whose subject is intended: return the complete text of only the files that you change now, none if all is intended, and the same summary.';

/**
 * Returns earlier responses of the code generator and what is wrong with them, as the continuation of its request. The request
 * itself stays the same text, for the service's cache.
 */
export function correctionMessages(
  corrections: readonly Correction[],
  { tool, supportsImages }: { tool: string; supportsImages: boolean },
): ModelMessage[] {
  return corrections.flatMap(({ generated, problems, remarks, contactSheet }, index): ModelMessage[] => {
    const id = `correction_${index + 1}`;
    const content = JSON.stringify({
      ...(problems.length > 0 && { problems: problems.join('\n') }),
      ...(remarks.length > 0 && { remarks: remarks.join('\n') }),
    });
    const images = supportsImages && contactSheet !== null ? [{ mediaType: 'image/jpeg' as const, base64: contactSheet }] : [];
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input: generated }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: id,
            content,
            shown: observe({ tool, content, isError: false, durationMs: null, note }),
            isError: false,
            images,
          },
        ],
      },
    ];
  });
}
