import { arrayMove } from '@dnd-kit/sortable';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useController } from 'react-hook-form';
import type { HomeOrder } from '../../../content/pages/home-order.ts';
import { completeOrder, type HomeSection } from '../../../content/pages/home-sections.ts';
import { SortableList } from '../../../ui/list/sortable-list.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { MoveButtons } from '../move-buttons.tsx';
import { SECTION_LABELS } from './section-labels.ts';

/** Sections that cannot be switched off here, with the reason. */
const FIXED_SECTIONS: Partial<Record<HomeSection, string>> = {
  'domain-check': 'Turn this section on or off under Settings.',
  sequence: 'Turn this section on or off in its tab.',
  deliverability: 'Turn this section on or off in its tab.',
  handover: 'Turn this section on or off in its tab.',
  booking: 'Always shown, because buttons on all pages link to it.',
};

/** Renders the sections of the home page as a sortable list with a switch for each section. */
export function OrderFields() {
  const { field } = useController<HomeOrder, 'places'>({ name: 'places' });
  const list = useRef<HTMLOListElement>(null);
  const order = completeOrder(field.value);
  const rows = order.map((entry) => ({ ...entry, id: entry.name, title: SECTION_LABELS[entry.name] }));
  const move = (from: number, to: number) => field.onChange(arrayMove(order, from, to));
  const moveTo = (from: number, to: number) => {
    if (to < 0 || to >= order.length) return;
    flushSync(() => move(from, to));
    // Browsers may drop the focus of a moved element.
    const button = `[data-move="${to < from ? 'up' : 'down'}"]`;
    list.current?.children[to]?.querySelector<HTMLElement>(button)?.focus();
  };
  const show = (name: HomeSection, isShown: boolean) =>
    field.onChange(order.map((entry) => (entry.name === name ? { name, isShown } : entry)));
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-3 text-lg font-semibold">Sections below the hero</legend>
      <SortableList ref={list} items={rows} onMove={move}>
        {({ name, title, isShown }, handle, index) => (
          <div data-shows={name} className="flex min-h-14 items-center gap-2 py-2 pr-1 pl-1.5">
            {handle}
            {FIXED_SECTIONS[name] ? (
              <p className="min-w-0 flex-1 text-[0.9375rem]">
                {title} <span className="block text-sm text-muted">{FIXED_SECTIONS[name]}</span>
              </p>
            ) : (
              <div className="flex min-w-0 flex-1">
                <Switch label={title} checked={isShown} onChange={(event) => show(name, event.currentTarget.checked)} />
              </div>
            )}
            <MoveButtons
              title={title.toLowerCase()}
              index={index}
              count={rows.length}
              onMove={(to) => moveTo(index, to)}
            />
          </div>
        )}
      </SortableList>
    </fieldset>
  );
}
