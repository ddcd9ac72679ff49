import { X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { Input } from '../input.tsx';
import { fieldLabel } from './field-label.ts';
import type { FieldOptions } from './field-options.ts';
import { useFieldError } from './use-field-error.ts';

type TextListFieldProps<Values extends FieldValues> = FieldOptions<Values, string[]> & { placeholder?: string };

/** List of short texts. Add or Enter appends the trimmed input. Empty entries are ignored. */
export function TextListField<Values extends FieldValues = never>(props: TextListFieldProps<Values>) {
  const { name, label, help, placeholder } = props;
  const { field } = useController<FieldValues>({ name });
  const input = useRef<HTMLInputElement>(null);
  const entries: string[] = field.value;

  const add = () => {
    const entry = input.current?.value.trim();
    if (!input.current || !entry) return;
    field.onChange([...entries, entry]);
    input.current.value = '';
    input.current.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };
  const remove = (index: number) => {
    field.onChange(entries.filter((_, other) => other !== index));
    input.current?.focus();
  };

  return (
    <div className="grid gap-2">
      <Field label={label ?? fieldLabel(name)} help={help} error={useFieldError(name)}>
        <div className="flex gap-2">
          <Input ref={input} placeholder={placeholder} onKeyDown={onKeyDown} onBlur={field.onBlur} />
          <Button variant="secondary" onClick={add}>
            Add
          </Button>
        </div>
      </Field>
      {entries.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal entries are allowed and rows hold no state
            <li key={index} className="flex items-center gap-2 py-1 pr-1 pl-3.5">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{entry}</span>
              <Button variant="ghost" size="icon" aria-label={`Remove ${entry}`} onClick={() => remove(index)}>
                <X aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
