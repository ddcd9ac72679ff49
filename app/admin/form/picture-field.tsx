import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { fieldLabel } from './field-label.ts';
import type { FieldOptions } from './text-field.tsx';
import { useFieldError } from './use-field-error.ts';

/** The address of a picture, with the picture itself beside it. Other sources of a picture set the same form value. */
export function PictureField({ name, label, help }: FieldOptions) {
  const { register } = useFormContext();
  const address: string = useWatch({ name });
  return (
    <Field label={label ?? fieldLabel(name)} help={help} error={useFieldError(name)}>
      <div className="flex items-start gap-3">
        <Input type="text" inputMode="url" autoComplete="off" placeholder="https://" {...register(name)} />
        {address && <Thumbnail key={address} address={address} />}
      </div>
    </Field>
  );
}

function Thumbnail({ address }: { address: string }) {
  const [broken, setBroken] = useState(false);
  return broken ? (
    <span className="grid size-11 shrink-0 place-items-center rounded-md border border-line bg-sunken text-muted">
      <ImageOff aria-hidden="true" className="size-5" />
      <span className="sr-only">No picture at this address</span>
    </span>
  ) : (
    <img
      src={address}
      alt="Preview"
      className="size-11 shrink-0 rounded-md border border-line object-cover"
      onError={() => setBroken(true)}
    />
  );
}
