import { useFormContext } from 'react-hook-form';
import { slugFromTitle } from '../../lib/slug.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useFieldError } from './use-field-error.ts';

/** The part of the address that names the item, with a button that makes it from the title. */
export function SlugField() {
  const { register, getValues, setValue } = useFormContext();
  const generate = () =>
    setValue('slug', slugFromTitle(String(getValues('title'))), { shouldDirty: true, shouldValidate: true });
  return (
    <Field
      label="Slug"
      help="Part of the address. Left empty, it is made from the title."
      error={useFieldError('slug')}
    >
      <div className="flex gap-2">
        <Input autoComplete="off" spellCheck={false} {...register('slug')} />
        <Button variant="secondary" onClick={generate}>
          Generate
        </Button>
      </div>
    </Field>
  );
}
