import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { User } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { adminSearchQuery, type SearchHit } from '../../content/editing.ts';
import { KINDS } from '../../content/kinds.ts';
import { SCRIM_CLASS } from '../../ui/dialog.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { type EntryGroup, type PaletteEntry, type ShellActions, searchEntries } from './palette-entries.ts';

/** Debounce delay for search requests. */
const DEBOUNCE_MS = 200;

interface CommandPaletteProps extends ShellActions {
  onClose: () => void;
}

/** Navigates to sections, items, settings and people, and runs global actions. */
export default function CommandPalette({ onClose, ...shell }: CommandPaletteProps) {
  const navigate = useNavigate();
  const returnFocus = useReturnFocus();
  const [text, setText] = useState('');
  const term = text.trim();
  // Only the item search is debounced. Sections and actions update immediately, so that Enter selects the first visible
  // entry.
  const search = useDebounced(term);
  const searchResult = useQuery({ ...adminSearchQuery(search), enabled: search !== '' });
  const groups = [...searchEntries(term, shell), ...(term === '' ? [] : itemGroups(searchResult.data ?? []))].filter(
    ({ entries }) => entries.length > 0,
  );
  const isSearching = term !== search || searchResult.isFetching;
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);

  const go = ({ to }: PaletteEntry) => {
    onClose();
    if (typeof to === 'function') return to();
    const { path, search: query = {}, hash } = to;
    void navigate({ to: path, search: query, ...(hash !== undefined && { hash }) });
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={SCRIM_CLASS} />
        <Dialog.Content
          aria-describedby={undefined}
          {...returnFocus}
          className="fixed inset-x-4 top-[12dvh] z-50 mx-auto max-w-xl overflow-hidden rounded-lg border border-line bg-surface shadow-lg"
        >
          <Dialog.Title className="sr-only">Go to a section or item</Dialog.Title>
          <Command shouldFilter={false} loop label="Go to">
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Search for a page, item or action"
              className="h-14 w-full border-b border-line bg-transparent px-5 text-base outline-none"
            />
            <p role="status" className="sr-only">
              {term !== '' && !isSearching && (count === 0 ? 'Nothing found' : `${count} found`)}
            </p>
            <Command.List className="max-h-[56dvh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-muted">
                {isSearching ? 'Searching...' : `Nothing found for "${term}".`}
              </Command.Empty>
              {groups.map((group) => (
                <PaletteGroup key={group.heading} group={group} onSelect={go} />
              ))}
            </Command.List>
            {searchResult.error && term !== '' && (
              <p className="border-t border-line px-5 py-3 text-sm text-muted">
                Items and people could not be searched.
              </p>
            )}
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

function itemGroups(hits: readonly SearchHit[]): EntryGroup[] {
  const toEntries = (kind: string, icon: PaletteEntry['icon'], buildPath: (id: string) => string): PaletteEntry[] =>
    hits
      .filter((hit) => hit.kind === kind)
      .map(({ id, title }) => ({ key: id, label: title, icon, to: { path: buildPath(id) } }));
  return [
    ...KINDS.map(({ table, heading, path, icon }) => ({
      heading,
      entries: toEntries(table, icon, (id) => `/admin/${path}/${id}/edit`),
    })),
    { heading: 'People', entries: toEntries('people', User, (id) => `/admin/people/${id}`) },
  ];
}

interface PaletteGroupProps {
  group: EntryGroup;
  onSelect: (entry: PaletteEntry) => void;
}

function PaletteGroup({ group: { heading, entries }, onSelect }: PaletteGroupProps) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-2 [&_[cmdk-group-heading]]:font-mono [&_[cmdk-group-heading]]:text-label [&_[cmdk-group-heading]]:text-muted"
    >
      {entries.map((entry) => (
        <Command.Item
          key={entry.key}
          value={`${heading} ${entry.key}`}
          onSelect={() => onSelect(entry)}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
        >
          <entry.icon aria-hidden="true" className="size-[1.125rem] shrink-0 text-muted" />
          <span className="truncate">{entry.label}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
