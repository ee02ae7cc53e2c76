import { ListFilter } from 'lucide-react';
import type { RefObject } from 'react';
import { type ProjectFilter, projectFilterSchema, projectOrderSchema } from '#contract/api.ts';
import type { ProjectListQuery } from '../api/client.ts';
import { Button } from '../ui/elements.tsx';
import { SearchField } from '../ui/fields.tsx';
import { Menu, MenuChoice, MenuSeparator, MenuTitle } from '../ui/menu.tsx';

type View = Pick<ProjectListQuery, 'state' | 'sort'>;

interface ProjectToolbarProps {
  search: string;
  onSearch: (search: string) => void;
  searchField: RefObject<HTMLInputElement | null>;
  view: View;
  onView: (view: View) => void;
}

export const filterNames: Record<ProjectFilter | 'all', string> = {
  all: 'All projects',
  working: 'Working',
  waiting: 'Waiting for you',
  complete: 'Finished',
  failed: 'Stopped or failed',
  deleted: 'Recently deleted',
};
const orderNames: Record<ProjectListQuery['sort'], string> = {
  newest: 'Newest first',
  changed: 'Last changed',
  name: 'By name',
};

export function ProjectToolbar({ search, onSearch, searchField, view, onView }: ProjectToolbarProps) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <search className="min-w-0">
        <SearchField
          ref={searchField}
          label="Search projects"
          clearLabel="Clear the search"
          value={search}
          maxLength={200}
          onChange={onSearch}
          aria-keyshortcuts="/"
          className="h-9 w-full sm:w-60"
        />
      </search>
      <ViewMenu view={view} onView={onView} />
    </div>
  );
}

function ViewMenu({ view, onView }: { view: View; onView: (view: View) => void }) {
  const filter = view.state ?? 'all';
  return (
    <Menu
      align="end"
      className="min-w-52"
      trigger={
        <Button
          aria-label={`Show: ${filterNames[filter]}. Order: ${orderNames[view.sort]}.`}
          className="max-w-44 px-3 text-[13px]"
        >
          <ListFilter className="size-4 text-ink-3" />
          <span className="hidden truncate sm:inline">{filterNames[filter]}</span>
        </Button>
      }
    >
      <MenuTitle>Show</MenuTitle>
      <MenuChoice
        label="Show"
        value={filter}
        options={(['all', ...projectFilterSchema.options] as const).map((value) => ({ value, label: filterNames[value] }))}
        onChange={(value) => onView({ ...view, state: value === 'all' ? null : value })}
      />
      <MenuSeparator />
      <MenuTitle>Order</MenuTitle>
      <MenuChoice
        label="Order"
        value={view.sort}
        options={projectOrderSchema.options.map((value) => ({ value, label: orderNames[value] }))}
        onChange={(sort) => onView({ ...view, sort })}
      />
    </Menu>
  );
}
