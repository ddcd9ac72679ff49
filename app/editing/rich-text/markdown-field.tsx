import { useState } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { PicturePicker } from '../../media/picture-picker.tsx';
import { Field } from '../../ui/field.tsx';
import { fieldLabel } from '../../ui/form/field-label.ts';
import type { FieldOptions } from '../../ui/form/field-options.ts';
import { requiredMark } from '../../ui/form/required-mark.ts';
import { useFieldError } from '../../ui/form/use-field-error.ts';
import { RichText } from './rich-text.tsx';

/** Renders a rich-text field. Its value is Markdown. */
export function MarkdownField<Values extends FieldValues = never>({
  name,
  label,
  help,
  required,
}: FieldOptions<Values>) {
  const { field } = useController<FieldValues>({ name });
  const title = label ?? fieldLabel(name);
  const [picker, setPicker] = useState<{ onPick: (url: string) => void } | null>(null);
  return (
    <>
      <Field label={title} help={help} {...requiredMark(required)} error={useFieldError(name)}>
        {/* Lets the form find the text, which has no name attribute. */}
        <div data-field={name} className="contents">
          <RichText
            title={title}
            value={String(field.value ?? '')}
            onChange={field.onChange}
            onBlur={field.onBlur}
            inputRef={field.ref}
            choosePicture={(onPick) => setPicker({ onPick })}
          />
        </div>
      </Field>
      {/* Outside the field, whose label would otherwise apply to the dialog's controls. */}
      <PicturePicker
        open={picker !== null}
        onOpenChange={(isOpen) => !isOpen && setPicker(null)}
        onPick={(url) => picker?.onPick(url)}
      />
    </>
  );
}
