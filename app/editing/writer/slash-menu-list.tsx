import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import type { SlashMenu } from './use-slash-menu.ts';

/** Options of the slash menu. Focus stays in the text area, which references the active option. */
export function SlashMenuList({ menu }: { menu: SlashMenu }) {
  const { open, commands } = menu;
  const active = useRef<HTMLDivElement>(null);
  const index = open?.active ?? 0;
  useEffect(() => {
    if (index >= 0) active.current?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  if (!open) return null;
  return (
    <>
      <div
        role="listbox"
        id={menu.id}
        aria-label="Insert"
        style={open.place ?? { left: 8, bottom: 8 }}
        className="absolute z-30 max-h-64 w-64 max-w-[calc(100%-1rem)] animate-fade overflow-y-auto rounded-md border border-line bg-surface p-1.5 shadow-md"
      >
        {commands.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text area has the focus and takes the keys
          <div
            key={command.label}
            ref={place === open.active ? active : undefined}
            role="option"
            id={menu.optionId(place)}
            tabIndex={-1}
            aria-selected={place === open.active}
            // Keeps focus and selection in the text area.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => menu.pick(command)}
            className={clsx(
              'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-[0.9375rem] text-ink select-none hover:bg-sunken',
              place === open.active && 'bg-sunken',
            )}
          >
            <command.icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
            {command.label}
          </div>
        ))}
      </div>
      <span role="status" className="sr-only">
        {`${commands.length} ${commands.length === 1 ? 'block' : 'blocks'} to insert. Use the arrow keys, then press Enter.`}
      </span>
    </>
  );
}
