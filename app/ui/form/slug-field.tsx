import { type FieldValues, useFormContext } from 'react-hook-form';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { Input } from '../input.tsx';
import { slugFromTitle } from '../lib/slug.ts';
import type { FieldName, FieldOptions } from './field-options.ts';
import { useFieldError } from './use-field-error.ts';

interface SlugFieldProps<Values extends FieldValues> extends FieldOptions<Values> {
  /** The field that holds the title. */
  from: NoInfer<FieldName<Values>>;
}

/** The part of the address that names the item, with a button that makes it from the title. */
export function SlugField<Values extends FieldValues = never>({ name, from }: SlugFieldProps<Values>) {
  const { register, getValues, setValue } = useFormContext();
  const generate = () =>
    setValue<string>(name, slugFromTitle(String(getValues(from))), { shouldDirty: true, shouldValidate: true });
  return (
    <Field label="Slug" help="Part of the address. Left empty, it is made from the title." error={useFieldError(name)}>
      <Input autoComplete="off" spellCheck={false} {...register(name)} />
      <Button variant="secondary" size="sm" className="justify-self-start" onClick={generate}>
        Generate
      </Button>
    </Field>
  );
}
