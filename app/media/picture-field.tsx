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
  /** The content security policy is derived from fields with such names. See public.content_origins. */
  name: NoInfer<Extract<FieldName<Values>, `${string}${'image' | 'avatar' | 'src' | 'Src'}${string}`>>;
  /** Path prefix of uploads in the bucket, with a trailing slash. */
  folder?: string;
  /** True to show the picture as wide as the field. Otherwise a small preview is shown beside the buttons. */
  isCover?: boolean;
  /** Placeholder drawing for a missing picture. */
  placeholder?: ReactNode;
}

/** Renders a picture field with a preview. Editors can upload a picture, pick one from the library or enter a URL. */
export function PictureField<Values extends FieldValues = never>(props: PictureFieldProps<Values>) {
  const { name, label, help, folder, isCover = false, placeholder } = props;
  const { register, setValue } = useFormContext();
  const url: string = useWatch<FieldValues>({ name });
  const isAllowed = useAllowed('pictures');
  const isShown = url !== '' && isAllowed(url);
  const [isPickerOpen, setPickerOpen] = useState(false);
  const [isTyping, setTyping] = useState(false);
  const change = (next: string) => setValue<string>(name, next, { shouldDirty: true, shouldValidate: true });
  const { upload, isUploading } = usePictureFieldUpload(change, folder);
  const error = useFieldError(name);
  const isOpen = isTyping || error !== undefined;
  const buttonProps = { variant: 'secondary', size: 'sm' } as const;
  return (
    <>
      <Field label={label ?? fieldLabel(name)} help={url && !isShown ? explainBlockedPicture(url) : help} error={error}>
        <div className={clsx('flex gap-3', isCover ? 'flex-col' : 'items-start')}>
          {(isShown || placeholder) && (
            <div
              className={clsx(
                'grid shrink-0 overflow-hidden border border-line bg-sunken',
                isCover ? 'aspect-16/10 w-full rounded-md sm:max-xl:max-w-80' : 'size-14',
                !isCover && (placeholder ? 'rounded-full' : 'rounded-md'),
              )}
            >
              {isShown ? (
                <Picture
                  src={url}
                  alt="Preview"
                  sizes={isCover ? '25rem' : '56px'}
                  fallback={<NoPicture />}
                  className="size-full min-h-0 object-cover"
                />
              ) : (
                placeholder
              )}
            </div>
          )}
          <div className="flex flex-wrap gap-2">
            <FileButton {...buttonProps} accept="image/*" loading={isUploading} onFiles={upload}>
              Upload
            </FileButton>
            <Button {...buttonProps} onClick={() => setPickerOpen(true)}>
              Library
            </Button>
            <Button {...buttonProps} aria-expanded={isOpen} onClick={() => setTyping(!isTyping)}>
              URL
            </Button>
            {url && (
              <Button {...buttonProps} variant="ghost" onClick={() => change('')}>
                Remove
              </Button>
            )}
          </div>
        </div>
        <div hidden={!isOpen}>
          <Input type="text" inputMode="url" autoComplete="off" placeholder="https://" {...register(name)} />
        </div>
      </Field>
      {/* Outside the field, whose label would otherwise apply to the dialog's controls. */}
      <PicturePicker open={isPickerOpen} onOpenChange={setPickerOpen} onPick={change} />
    </>
  );
}

function NoPicture() {
  return (
    <span className="grid place-items-center text-muted">
      <ImageOff aria-hidden="true" className="size-5" />
      <span className="sr-only">No picture at this URL</span>
    </span>
  );
}
