import type { Approval } from '../project.ts';
import { readSurface } from './messages.ts';
import { type Component, kodaCatalog, rootId, type Surface, storedVersion } from './surface.ts';

export const chooseAction = 'choose_option';
/** Action that sends a surface's values to the agent. */
export const submitAction = 'submit';

export const optionButton = (index: number): string => `card-${index}`;

export function questionSurface({ id, options, surface }: Approval): Surface {
  const own = surface === undefined ? null : readSurface(surface);
  if (own?.ok) return own.value;
  const cards = options.flatMap((option, index): Component[] => {
    const card = optionButton(index);
    const body = `words-${index}`;
    const label = `label-${index}`;
    const about = `about-${index}`;
    const description: Component[] =
      option.description === undefined ? [] : [{ id: about, component: 'Text', text: option.description, variant: 'caption' }];
    return [
      {
        id: card,
        component: 'Button',
        child: body,
        action: { event: { name: chooseAction, context: { optionId: option.id } } },
      },
      { id: body, component: 'Column', children: [label, ...description.map((one) => one.id)] },
      { id: label, component: 'Text', text: option.label },
      ...description,
    ];
  });
  const root: Component = { id: rootId, component: 'Column', children: options.map((_, index) => optionButton(index)) };
  return {
    version: storedVersion,
    surfaceId: id,
    catalogId: kodaCatalog,
    theme: null,
    sendDataModel: false,
    components: new Map([root, ...cards].map((component) => [component.id, component])),
    data: {},
  };
}
