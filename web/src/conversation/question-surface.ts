import type { Approval } from '../../../server/contract/project.ts';
import { type Component, kodaCatalog, rootId, type Surface } from '../../../server/contract/surface.ts';

export const chooseAction = 'choose_option';

/** A question's answers as a surface: a card to press for each. */
export function questionSurface({ id, options }: Approval): Surface {
  const cards = options.flatMap((option, index): Component[] => {
    const [card, words, label, about] = ['card', 'words', 'label', 'about'].map((part) => `${part}-${index}`) as [
      string,
      string,
      string,
      string,
    ];
    const description: Component[] =
      option.description === undefined ? [] : [{ id: about, component: 'Text', text: option.description, variant: 'caption' }];
    return [
      {
        id: card,
        component: 'Button',
        child: words,
        action: { event: { name: chooseAction, context: { optionId: option.id } } },
      },
      { id: words, component: 'Column', children: [label, ...description.map((one) => one.id)] },
      { id: label, component: 'Text', text: option.label },
      ...description,
    ];
  });
  const root: Component = { id: rootId, component: 'Column', children: options.map((_, index) => `card-${index}`) };
  return {
    surfaceId: id,
    catalogId: kodaCatalog,
    theme: null,
    sendDataModel: false,
    components: new Map([root, ...cards].map((component) => [component.id, component])),
    data: {},
  };
}
