import { clsx } from 'clsx';
import { ImageOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type FieldValues, useFormContext, useWatch } from 'react-hook-form';
import { useAllowed } from '../api/host/page-policy.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { fieldLabel } from '../ui/form/field-label.ts';
import type { FieldName, FieldOptions } from '../ui/form/field-options.ts';
import { FileButton } from '../ui/form/file-button.tsx';
import { useFieldError } from '../ui/form/use-field-error.ts';
import { Input } from '../ui/input.tsx';
import { Picture } from '../ui/picture.tsx';
import { explainBlockedPicture } from './blocked-picture.ts';
import { PicturePicker } from './picture-picker.tsx';
import { usePictureFieldUpload } from './use-picture-field-upload.ts';

interface PictureFieldProps<Values extends FieldValues> extends FieldOptions<Values> {
  /** The policy of pages finds the addresses of pictures by such names: see public.content_origins. */
  name: NoInfer<Extract<FieldName<Values>, `${string}${'image' | 'avatar' | 'src' | 'Src'}${string}`>>;
  /** Folder of uploads in the bucket, with the slash at its end. */
  folder?: string;
  /** A cover is shown as wide as the field; otherwise the picture is small and stands beside the buttons. */
  isCover?: boolean;
  /** Drawing of the site in the place of a missing picture. */
  drawn?: ReactNode;
}

/** A picture, uploaded, picked from the library, or by its address, with what the site will show of it. */
export function PictureField<Values extends FieldValues = never>(props: PictureFieldProps<Values>) {
  const { name, label, help, folder, isCover = false, drawn } = props;
  const { register, setValue } = useFormContext();
  const address: string = useWatch<FieldValues>({ name });
  const isAllowed = useAllowed('pictures');
  const isShown = address !== '' && isAllowed(address);
  const [picking, setPicking] = useState(false);
  const [isTyping, setTyping] = useState(false);
  const change = (next: string) => setValue<string>(name, next, { shouldDirty: true, shouldValidate: true });
  const { upload, uploading } = usePictureFieldUpload(change, folder);
  const error = useFieldError(name);
  const isOpen = isTyping || error !== undefined;
  const look = { variant: 'secondary', size: 'sm' } as const;
  return (
    <>
      <Field
        label={label ?? fieldLabel(name)}
        help={address && !isShown ? explainBlockedPicture(address) : help}
        error={error}
      >
        <div className={clsx('flex gap-3', isCover ? 'flex-col' : 'items-start')}>
          {(isShown || drawn) && (
            <div
              className={clsx(
                'grid shrink-0 overflow-hidden rounded-md border border-line bg-sunken',
                isCover ? 'aspect-16/10 w-full max-w-80' : 'size-14',
              )}
            >
              {isShown ? (
                <Picture
                  src={address}
                  alt="Preview"
                  sizes={isCover ? '20rem' : '56px'}
                  otherwise={<NoPicture />}
                  className="size-full min-h-0 object-cover"
                />
              ) : (
                drawn
              )}
            </div>
          )}
          <div className="flex flex-wrap gap-2">
            <FileButton {...look} accept="image/*" loading={uploading} onFiles={upload}>
              Upload
            </FileButton>
            <Button {...look} onClick={() => setPicking(true)}>
              Library
            </Button>
            <Button {...look} aria-expanded={isOpen} onClick={() => setTyping(!isTyping)}>
              Address
            </Button>
            {address && (
              <Button {...look} variant="ghost" onClick={() => change('')}>
                Remove
              </Button>
            )}
          </div>
        </div>
        <div hidden={!isOpen}>
          <Input type="text" inputMode="url" autoComplete="off" placeholder="https://" {...register(name)} />
        </div>
      </Field>
      {/* Beside the field: the field would label the controls of the dialog as its own. */}
      <PicturePicker open={picking} onOpenChange={setPicking} onPick={change} />
    </>
  );
}

function NoPicture() {
  return (
    <span className="grid place-items-center text-muted">
      <ImageOff aria-hidden="true" className="size-5" />
      <span className="sr-only">No picture at this address</span>
    </span>
  );
}
