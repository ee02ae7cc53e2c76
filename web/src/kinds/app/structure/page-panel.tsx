import { ArrowDown, ArrowUp, File, Plus, Trash2 } from 'lucide-react';
import type { AppDocument, Page } from '../../../../../sandbox-image/templates/app/model/document.ts';
import type { Edit } from '../../../../../sandbox-image/templates/app/model/edits.ts';
import { Button, IconButton } from '../../../ui/elements.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { views } from '../home/catalogue.ts';
import { pageIcons } from './page-icons.ts';
import { MenuRow, Sortable, SwitchRow, TextRow } from './parts.tsx';
import { viewName } from './tree.tsx';

interface PagePanelProps {
  document: AppDocument;
  page: Page;
  edit: (edits: readonly Edit[]) => string | null;
  undo: () => void;
  onAddView: () => void;
}

/** Properties of a page. */
export function PagePanel({ document, page, edit, undo, onAddView }: PagePanelProps) {
  const at = document.pages.indexOf(page);
  const look: Pick<Page, 'icon' | 'public'> = { icon: page.icon, public: page.public };
  const setLook = (next: Pick<Page, 'icon' | 'public'>) =>
    edit([{ type: 'set-page', page: page.id, ...look, ...next, was: look }]);
  const icon = page.icon ?? '';
  const chosen = pageIcons.find(({ value }) => value === icon);
  const others = chosen === undefined ? [{ value: icon, label: icon.replaceAll('-', ' '), icon: File }] : [];
  const ChosenIcon = chosen?.icon ?? File;
  const move = (to: number) => edit([{ type: 'move-page', page: page.id, to }]);
  return (
    <>
      <div className="flex items-center gap-1">
        <h2 className="min-w-0 flex-1 truncate font-semibold text-[15px]">{page.name}</h2>
        <IconButton icon={ArrowUp} label="Move the page up" disabled={at === 0} onClick={() => move(at - 1)} />
        <IconButton
          icon={ArrowDown}
          label="Move the page down"
          disabled={at === document.pages.length - 1}
          onClick={() => move(at + 1)}
        />
        <IconButton
          icon={Trash2}
          label="Remove the page"
          disabled={document.pages.length === 1}
          onClick={() => {
            if (edit([{ type: 'remove-page', page: page.id }]) === null)
              toast(`The page “${page.name}” was removed. The records stay.`, { action: { label: 'Undo', run: undo } });
          }}
        />
      </div>
      <div className="mt-2">
        <TextRow
          label="Name"
          value={page.name}
          needed
          onChange={(name) => edit([{ type: 'rename-page', page: page.id, name, was: page.name }])}
        />
        <MenuRow
          label="Icon"
          value={icon}
          options={[...others, ...pageIcons]}
          icon={<ChosenIcon aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />}
          onChange={(next) => setLook({ icon: next === '' ? undefined : next })}
        />
        <SwitchRow
          label="For visitors"
          checked={page.public ?? false}
          onChange={(isPublic) => setLook({ public: isPublic || undefined })}
        />
      </div>
      <p className="mt-1 text-[13px] text-ink-2">
        {page.public
          ? 'Visitors see this page without the app’s navigation.'
          : `Page ${at + 1} of ${document.pages.length} in the navigation.`}
      </p>
      <h3 className="mt-3 mb-1.5 font-medium text-[13px]">Views</h3>
      <Sortable
        label={`Views of ${page.name}`}
        items={page.views.map((view) => ({ id: view.id, name: viewName(view), view }))}
        onMove={(from, to) => {
          const view = page.views[from];
          if (view !== undefined) edit([{ type: 'move-view', page: page.id, view: view.id, to }]);
        }}
      >
        {({ name, view }) => {
          const Icon = views[view.view].icon;
          return (
            <>
              <Icon aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
              <span className="min-w-0 flex-1 truncate text-[13px]">{name}</span>
            </>
          );
        }}
      </Sortable>
      <Button
        size="sm"
        variant="quiet"
        icon={Plus}
        onClick={onAddView}
        className="mt-1 self-start"
        disabled={page.views.length >= 8}
      >
        View
      </Button>
    </>
  );
}
