import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useDeferredValue, useState } from 'react';
import { listQuery } from '../../content/editing.ts';
import { titleCased } from '../../content/kind.ts';
import { KINDS } from '../../content/kinds.ts';
import { SCRIM_CLASS } from '../../ui/dialog.tsx';
import { SECTIONS, type Section } from '../sections.ts';

/** Items of each kind. */
const SHOWN = 5;

/** Jumps to any section, a new item, or any item by its title. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const wanted = text.trim();
  // Items may lag behind fast typing, sections never: Enter takes what is at the top.
  const search = useDeferredValue(wanted);
  const results = useQueries({
    queries: KINDS.map((kind) => ({ ...listQuery(kind, { search }), enabled: search !== '' })),
  });

  const goTo = (path: string) => {
    onClose();
    void navigate({ to: path });
  };
  const matches = (label: string) => label.toLowerCase().includes(wanted.toLowerCase());
  const creations = wanted === '' ? [] : KINDS.filter(({ one }) => matches(`New ${one}`));
  const groups: Group[] = [
    { heading: 'Sections', places: SECTIONS.filter(({ label }) => matches(label)) },
    {
      heading: 'Create',
      places: creations.map(({ path, one, icon }) => ({
        path: `/admin/${path}/new`,
        label: `New ${titleCased(one)}`,
        icon,
      })),
    },
    ...KINDS.map(({ heading, path, icon }, index) => ({
      heading,
      places: (search === '' ? [] : (results[index]?.data?.items.slice(0, SHOWN) ?? [])).map(({ id, title }) => ({
        path: `/admin/${path}/${id}/edit`,
        label: title,
        icon,
      })),
    })),
  ];
  const searching = search !== wanted || results.some(({ isFetching }) => isFetching);

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={SCRIM_CLASS} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[12dvh] z-50 mx-auto max-w-xl overflow-hidden rounded-lg border border-line bg-surface shadow-lg"
        >
          <Dialog.Title className="sr-only">Go to a section or item</Dialog.Title>
          <Command shouldFilter={false} loop label="Go to">
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Go to a section, or search items"
              className="h-14 w-full border-b border-line bg-transparent px-5 text-base outline-none"
            />
            <Command.List className="max-h-[56dvh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-muted">
                {searching ? 'Searching...' : `Nothing found for "${wanted}".`}
              </Command.Empty>
              {groups.map(({ heading, places }) => (
                <PaletteGroup key={heading} heading={heading} places={places} onSelect={goTo} />
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface Group {
  heading: string;
  places: readonly Section[];
}

function PaletteGroup({ heading, places, onSelect }: Group & { onSelect: (path: string) => void }) {
  if (places.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-2 [&_[cmdk-group-heading]]:font-mono [&_[cmdk-group-heading]]:text-label [&_[cmdk-group-heading]]:text-muted"
    >
      {places.map(({ path, label, icon: Icon }) => (
        <Command.Item
          key={path}
          value={path}
          onSelect={() => onSelect(path)}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
        >
          <Icon aria-hidden="true" className="size-[1.125rem] shrink-0 text-muted" />
          <span className="truncate">{label}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
