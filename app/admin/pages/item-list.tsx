import { clsx } from 'clsx';
import { ChevronDown, CircleAlert, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type FieldArray,
  type FieldArrayPath,
  type FieldValues,
  get,
  useFieldArray,
  useFormState,
  useWatch,
} from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { SortableList } from '../../ui/list/sortable-list.tsx';
import { MoveButtons, type MoveButtonsProps } from './move-buttons.tsx';

/** State of the open row. Several lists can share it. */
export interface OpenRow {
  key: string | null;
  set: (key: string | null) => void;
}

export function useOpenRow(): OpenRow {
  const [key, set] = useState<string | null>(null);
  return { key, set };
}

/** Summary of a closed row. */
interface RowSummary {
  title: string;
  detail?: string;
}

interface ItemListProps<Values extends FieldValues, Name extends FieldArrayPath<Values>> {
  /** Form field with the list. */
  name: Name;
  legend: string;
  /** Singular name of an item: 'Testimonial'. */
  singular: string;
  openRow: OpenRow;
  /** Creates an item. Receives the existing items. */
  create: (items: FieldArray<Values, Name>[]) => FieldArray<Values, Name>;
  summary: (item: FieldArray<Values, Name>) => RowSummary;
  /** Renders the fields of an item. Their names start with `prefix`. */
  children: (prefix: `${Name}.${number}`) => ReactNode;
}

/** Renders an editable list of field groups, one open at a time. Items can be added, removed and moved. */
export function ItemList<
  Values extends FieldValues = never,
  Name extends FieldArrayPath<Values> = FieldArrayPath<Values>,
>({ name, legend, singular, openRow, create, summary, children }: ItemListProps<Values, Name>) {
  const { fields, append, remove, move } = useFieldArray<Values, Name, 'key'>({ name, keyName: 'key' });
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const isAdding = useRef(false);

  const lastKey = fields.at(-1)?.key;
  useEffect(() => {
    if (!isAdding.current || lastKey === undefined) return;
    isAdding.current = false;
    openRow.set(lastKey);
    // Wait for the fields to mount.
    const frame = requestAnimationFrame(() => focusField(list.current?.lastElementChild, 'input, textarea'));
    return () => cancelAnimationFrame(frame);
  }, [lastKey, openRow.set]);

  const moveTo = (from: number, to: number) => {
    if (to < 0 || to >= fields.length) return;
    flushSync(() => move(from, to));
    // Browsers may drop the focus of a moved element.
    const direction = to < from ? 'up' : 'down';
    focusField(list.current?.children[to], `[data-move="${direction}"]`);
  };

  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-3 text-lg font-semibold">{legend}</legend>
      {fields.length > 0 && (
        <SortableList
          ref={list}
          items={fields.map(({ key }, index) => ({ id: key, title: `${singular} ${index + 1}` }))}
          onMove={move}
        >
          {({ id: key, title }, handle, index) => (
            <ItemRow
              name={`${name}.${index}`}
              title={title}
              handle={handle}
              isOpen={key === openRow.key}
              onToggle={() => openRow.set(key === openRow.key ? null : key)}
              summary={summary as (item: unknown) => RowSummary}
              buttons={
                <RowButtons
                  title={title.toLowerCase()}
                  index={index}
                  count={fields.length}
                  onMove={(to) => moveTo(index, to)}
                  onRemove={() => {
                    remove(index);
                    addButton.current?.focus();
                  }}
                />
              }
            >
              {children(`${name}.${index}`)}
            </ItemRow>
          )}
        </SortableList>
      )}
      <div>
        <Button
          ref={addButton}
          variant="secondary"
          size="sm"
          onClick={() => {
            isAdding.current = true;
            append(create(fields), { shouldFocus: false });
          }}
        >
          <Plus aria-hidden="true" />
          Add {singular.toLowerCase()}
        </Button>
      </div>
    </fieldset>
  );
}

function focusField(row: Element | null | undefined, selector: string): void {
  row?.querySelector<HTMLElement>(selector)?.focus();
}

interface RowButtonsProps extends MoveButtonsProps {
  onRemove: () => void;
}

function RowButtons({ onRemove, ...move }: RowButtonsProps) {
  return (
    <>
      <MoveButtons {...move} />
      <Button variant="ghost" size="icon" className="size-9!" aria-label={`Remove ${move.title}`} onClick={onRemove}>
        <Trash2 aria-hidden="true" />
      </Button>
    </>
  );
}

interface ItemRowProps {
  name: string;
  title: string;
  handle: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  summary: (item: unknown) => RowSummary;
  buttons: ReactNode;
  children: ReactNode;
}

/** Renders the row of an item. Its fields are mounted only while it is open, but their values stay in the form. */
function ItemRow({ name, title, handle, isOpen, onToggle, summary, buttons, children }: ItemRowProps) {
  const panel = useId();
  const { errors } = useFormState({ name });
  const hasError = get(errors, name) !== undefined;
  return (
    <>
      <div className="flex min-h-12 items-center pr-1 pl-1.5">
        {handle}
        <button
          type="button"
          data-row={name}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={onToggle}
          className="flex min-h-12 min-w-0 flex-1 items-center gap-2 rounded-sm px-2 py-1.5 text-left hover:bg-sunken"
        >
          <ChevronDown
            aria-hidden="true"
            className={clsx('size-4 shrink-0 text-muted transition-transform duration-150', isOpen || '-rotate-90')}
          />
          {hasError && !isOpen && (
            <CircleAlert role="img" aria-label="Needs attention:" className="size-4 shrink-0 text-danger" />
          )}
          <span className="sr-only">{title}: </span>
          <Summary name={name} title={title} summary={summary} />
        </button>
        {buttons}
      </div>
      {isOpen && (
        <fieldset id={panel} className="min-w-0 border-t border-line bg-canvas p-4 [li:last-child>&]:rounded-b-lg">
          <legend className="sr-only">{title}</legend>
          <div className="grid grid-cols-1 gap-4">{children}</div>
        </fieldset>
      )}
    </>
  );
}

/** Separate component, so that typing in a row does not rerender the other rows. */
function Summary({ name, title, summary }: Pick<ItemRowProps, 'name' | 'title' | 'summary'>) {
  const item: unknown = useWatch({ name });
  const text = item ? summary(item) : { title: '' };
  return (
    <span className="min-w-0 text-[0.9375rem] leading-snug [overflow-wrap:anywhere] max-sm:grid sm:truncate">
      <span className="font-medium max-sm:line-clamp-2">{text.title.trim() || title}</span>
      {text.detail && <span className="text-sm text-muted max-sm:truncate sm:ml-2">{text.detail}</span>}
    </span>
  );
}
