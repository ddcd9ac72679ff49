import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { type FieldArray, type FieldArrayPath, type FieldValues, useFieldArray } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';

interface ItemListProps<Values extends FieldValues, Name extends FieldArrayPath<Values>> {
  /** The field of the form that holds the list. */
  name: Name;
  legend: string;
  /** What one item is called: 'Testimonial'. */
  one: string;
  /** A new item, given those that there are. */
  create: (items: FieldArray<Values, Name>[]) => FieldArray<Values, Name>;
  /** Draws the fields of the item whose names begin with `prefix`. */
  children: (prefix: `${Name}.${number}`) => ReactNode;
}

/** A list of small groups of fields: add, remove, move up and down. */
export function ItemList<
  Values extends FieldValues = never,
  Name extends FieldArrayPath<Values> = FieldArrayPath<Values>,
>({ name, legend, one, create, children }: ItemListProps<Values, Name>) {
  const { fields, append, remove, move } = useFieldArray<Values, Name, 'key'>({ name, keyName: 'key' });
  const list = useRef<HTMLOListElement>(null);
  const add = useRef<HTMLButtonElement>(null);

  const moveTo = (from: number, to: number) => {
    if (to < 0 || to >= fields.length) return;
    flushSync(() => move(from, to));
    // The browser may lose the focus of an element that moves.
    const direction = to < from ? 'up' : 'down';
    list.current?.children[to]?.querySelector<HTMLElement>(`[data-move="${direction}"]`)?.focus();
  };

  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-3 text-lg font-semibold">{legend}</legend>
      <ol ref={list} className="grid grid-cols-1 gap-3">
        {fields.map(({ key }, index) => (
          <li key={key} className="grid grid-cols-1 gap-4 rounded-lg border border-line bg-surface p-4">
            <div className="flex items-center gap-1">
              <p className="mr-auto font-mono text-label text-muted">
                {one} {index + 1}
              </p>
              {(['up', 'down'] as const).map((direction) => (
                <Button
                  key={direction}
                  variant="ghost"
                  size="icon"
                  data-move={direction}
                  aria-label={`Move ${one.toLowerCase()} ${index + 1} ${direction}`}
                  aria-disabled={index === (direction === 'up' ? 0 : fields.length - 1) || undefined}
                  onClick={() => moveTo(index, direction === 'up' ? index - 1 : index + 1)}
                >
                  {direction === 'up' ? <ArrowUp aria-hidden="true" /> : <ArrowDown aria-hidden="true" />}
                </Button>
              ))}
              <Button
                variant="ghost"
                size="icon"
                aria-label={`Remove ${one.toLowerCase()} ${index + 1}`}
                onClick={() => {
                  remove(index);
                  add.current?.focus();
                }}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </div>
            {children(`${name}.${index}`)}
          </li>
        ))}
      </ol>
      <div>
        <Button ref={add} variant="secondary" onClick={() => append(create(fields))}>
          <Plus aria-hidden="true" />
          Add {one.toLowerCase()}
        </Button>
      </div>
    </fieldset>
  );
}
