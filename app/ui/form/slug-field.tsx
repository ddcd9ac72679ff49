import { type FieldValues, useFormContext } from 'react-hook-form';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { Input } from '../input.tsx';
import { slugFromTitle } from '../lib/slug.ts';
import type { FieldName, FieldOptions } from './field-options.ts';
import { useFieldError } from './use-field-error.ts';

interface SlugFieldProps<Values extends FieldValues> extends FieldOptions<Values> {
  /** Title field. */
  from: NoInfer<FieldName<Values>>;
}

/** Slug field with a button that generates it from the title. */
export function SlugField<Values extends FieldValues = never>({ name, from }: SlugFieldProps<Values>) {
  const { register, getValues, setValue } = useFormContext();
  const generate = () =>
    setValue<string>(name, slugFromTitle(String(getValues(from))), { shouldDirty: true, shouldValidate: true });
  return (
    <Field
      label="Slug"
      help="Last part of the URL. Generated from the title if empty."
      error={useFieldError(name)}
      aside={
        <Button variant="link" className="-my-2" onClick={generate}>
          Generate
        </Button>
      }
    >
      <Input autoComplete="off" spellCheck={false} {...register(name)} />
    </Field>
  );
}
