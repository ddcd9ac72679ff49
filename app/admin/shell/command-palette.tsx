import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import type { LucideIcon } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useDeferredValue, useState } from 'react';
import { listQuery } from '../../content/editing.ts';
import { titleCased } from '../../content/kind.ts';
import { KINDS } from '../../content/kinds.ts';
import { SCRIM_CLASS } from '../../ui/dialog.tsx';
import { SECTIONS } from '../sections.ts';

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
  const sections = SECTIONS.filter(({ label }) => matches(label));
  const creations = wanted === '' ? [] : KINDS.filter(({ one }) => matches(`New ${one}`));
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
              {sections.length > 0 && (
                <PaletteGroup heading="Sections">
                  {sections.map(({ path, label, icon }) => (
                    <PaletteItem key={path} value={path} icon={icon} label={label} onSelect={goTo} />
                  ))}
                </PaletteGroup>
              )}
              {creations.length > 0 && (
                <PaletteGroup heading="Create">
                  {creations.map(({ path, one, icon }) => (
                    <PaletteItem
                      key={path}
                      value={`/admin/${path}/new`}
                      icon={icon}
                      label={`New ${titleCased(one)}`}
                      onSelect={goTo}
                    />
                  ))}
                </PaletteGroup>
              )}
              {KINDS.map((kind, index) => {
                const items = search === '' ? [] : (results[index]?.data?.items.slice(0, SHOWN) ?? []);
                return items.length === 0 ? null : (
                  <PaletteGroup key={kind.path} heading={kind.heading}>
                    {items.map((item) => (
                      <PaletteItem
                        key={item.id}
                        value={`/admin/${kind.path}/${item.id}/edit`}
                        icon={kind.icon}
                        label={item.title}
                        onSelect={goTo}
                      />
                    ))}
                  </PaletteGroup>
                );
              })}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteGroup({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-2 [&_[cmdk-group-heading]]:font-mono [&_[cmdk-group-heading]]:text-label [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface PaletteItemProps {
  value: string;
  icon: LucideIcon;
  label: string;
  onSelect: (path: string) => void;
}

function PaletteItem({ value, icon: Icon, label, onSelect }: PaletteItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={() => onSelect(value)}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
    >
      <Icon aria-hidden="true" className="size-[1.125rem] shrink-0 text-muted" />
      <span className="truncate">{label}</span>
    </Command.Item>
  );
}
