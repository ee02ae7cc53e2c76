import { Check, ListFilter, Search, X } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type RefObject, useId } from 'react';
import { projectFilterSchema, projectOrderSchema } from '../../../server/contract/api.ts';
import type { ProjectListQuery } from '../api/client.ts';
import { texts } from '../texts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { menuClass, menuItemClass } from './project-menu.tsx';

type View = Pick<ProjectListQuery, 'state' | 'sort'>;

interface ProjectToolbarProps {
  search: string;
  onSearch: (search: string) => void;
  searchField: RefObject<HTMLInputElement | null>;
  view: View;
  onView: (view: View) => void;
}

/** Finds projects: by words, by what they are at, in an order. */
export function ProjectToolbar({ search, onSearch, searchField, view, onView }: ProjectToolbarProps) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <search className="relative min-w-0">
        <Search aria-hidden="true" className="absolute top-2.5 left-3 size-4 text-ink-3" />
        <input
          ref={searchField}
          type="search"
          value={search}
          maxLength={200}
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || search === '') return;
            event.preventDefault();
            onSearch('');
          }}
          aria-label={texts.home.search}
          aria-keyshortcuts="/"
          placeholder={texts.home.search}
          className="h-9 w-full min-w-0 rounded-lg border border-line bg-panel pr-9 pl-9 text-[13px] placeholder:text-ink-3 sm:w-60 [&::-webkit-search-cancel-button]:hidden"
        />
        {search !== '' && (
          <IconButton
            label={texts.home.clearSearch}
            onClick={() => {
              onSearch('');
              searchField.current?.focus();
            }}
            className="absolute top-1 right-1 size-7"
          >
            <X className="size-4" />
          </IconButton>
        )}
      </search>
      <ViewMenu view={view} onView={onView} />
    </div>
  );
}

function ViewMenu({ view, onView }: { view: View; onView: (view: View) => void }) {
  const [showId, orderId] = [useId(), useId()];
  const filter = view.state ?? 'all';
  const { filters, orders } = texts.home;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button aria-label={texts.home.view(filters[filter], orders[view.sort])} className="max-w-44 px-3 text-[13px]">
          <ListFilter aria-hidden="true" className="size-4 text-ink-3" />
          <span className="hidden truncate sm:inline">{filters[filter]}</span>
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={4} collisionPadding={8} className={menuClass}>
          <Title id={showId}>{texts.home.show}</Title>
          <DropdownMenu.RadioGroup
            aria-labelledby={showId}
            value={filter}
            onValueChange={(value) => onView({ ...view, state: projectFilterSchema.safeParse(value).data ?? null })}
          >
            {(['all', ...projectFilterSchema.options] as const).map((value) => (
              <Choice key={value} value={value} label={filters[value]} />
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <Title id={orderId}>{texts.home.order}</Title>
          <DropdownMenu.RadioGroup
            aria-labelledby={orderId}
            value={view.sort}
            onValueChange={(value) => onView({ ...view, sort: projectOrderSchema.parse(value) })}
          >
            {projectOrderSchema.options.map((value) => (
              <Choice key={value} value={value} label={orders[value]} />
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Title({ id, children }: { id: string; children: string }) {
  return (
    <DropdownMenu.Label id={id} className="px-2.5 pt-1.5 pb-1 text-ink-3 text-xs">
      {children}
    </DropdownMenu.Label>
  );
}

function Choice({ value, label }: { value: string; label: string }) {
  return (
    <DropdownMenu.RadioItem value={value} className={menuItemClass}>
      <span aria-hidden="true" className="size-4">
        <DropdownMenu.ItemIndicator>
          <Check className="text-accent!" />
        </DropdownMenu.ItemIndicator>
      </span>
      {label}
    </DropdownMenu.RadioItem>
  );
}
