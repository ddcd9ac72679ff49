import { ImageOff, Images, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { type FieldValues, useFormContext, useWatch } from 'react-hook-form';
import { useAllowed } from '../../lib/page-policy.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Picture } from '../../ui/picture.tsx';
import { fieldLabel } from '../form/field-label.ts';
import type { FieldName, FieldOptions } from '../form/field-options.ts';
import { FileButton } from '../form/file-button.tsx';
import { useFieldError } from '../form/use-field-error.ts';
import { PicturePicker } from './picture-picker.tsx';
import { usePictureFieldUpload } from './use-picture-field-upload.ts';
import { whyNotShown } from './why-not-shown.ts';

interface PictureFieldProps<Values extends FieldValues> extends FieldOptions<Values> {
  /** The policy of pages finds the addresses of pictures by such names: see public.content_origins. */
  name: NoInfer<Extract<FieldName<Values>, `${string}${'image' | 'avatar' | 'src' | 'Src'}${string}`>>;
  /** Where uploads go in the bucket, with the slash at its end. */
  folder?: string;
}

/** The address of a picture, typed, uploaded or picked from the library, with the picture itself beside it. */
export function PictureField<Values extends FieldValues = never>(props: PictureFieldProps<Values>) {
  const { name, label, help, folder } = props;
  const { register, setValue } = useFormContext();
  const address: string = useWatch<FieldValues>({ name });
  const isAllowed = useAllowed('pictures');
  const isShown = address !== '' && isAllowed(address);
  const [picking, setPicking] = useState(false);
  const change = (next: string) => setValue<string>(name, next, { shouldDirty: true, shouldValidate: true });
  const { upload, uploading } = usePictureFieldUpload(change, folder);
  const look = { variant: 'secondary', size: 'sm' } as const;
  return (
    <>
      <Field
        label={label ?? fieldLabel(name)}
        help={address && !isShown ? whyNotShown(address) : help}
        error={useFieldError(name)}
      >
        <div className="flex items-start gap-3">
          <Input type="text" inputMode="url" autoComplete="off" placeholder="https://" {...register(name)} />
          {isShown && (
            <Picture
              src={address}
              alt="Preview"
              sizes="44px"
              width={44}
              height={44}
              otherwise={<NoPicture />}
              className="size-11 shrink-0 rounded-md border border-line object-cover"
            />
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <FileButton {...look} accept="image/*" loading={uploading} onFiles={upload}>
            <Upload aria-hidden="true" />
            Upload
          </FileButton>
          <Button {...look} onClick={() => setPicking(true)}>
            <Images aria-hidden="true" />
            Library
          </Button>
          {address && (
            <Button {...look} variant="ghost" onClick={() => change('')}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
      </Field>
      {/* Beside the field: the field would label the controls of the dialog as its own. */}
      <PicturePicker open={picking} onOpenChange={setPicking} onPick={change} />
    </>
  );
}

function NoPicture() {
  return (
    <span className="grid size-11 shrink-0 place-items-center rounded-md border border-line bg-sunken text-muted">
      <ImageOff aria-hidden="true" className="size-5" />
      <span className="sr-only">No picture at this address</span>
    </span>
  );
}
