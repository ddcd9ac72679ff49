import { zodResolver } from '@hookform/resolvers/zod';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { Logo } from '../../../content/pages/logo-banner.ts';
import { explainBlockedPicture } from '../../../media/blocked-picture.ts';
import { isLightPicture } from '../../../media/is-light-picture.ts';
import { LOGO_TYPES } from '../../../media/logo-file.ts';
import { uploadPictureMutation } from '../../../media/media.ts';
import { useLogoUpload } from '../../../media/use-logo-upload.ts';
import { Field } from '../../../ui/field.tsx';
import { showFirstError } from '../../../ui/first-error.ts';
import { FileButton } from '../../../ui/form/file-button.tsx';
import { requiredMark } from '../../../ui/form/required-mark.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Input } from '../../../ui/input.tsx';
import { LogoPicture } from '../../../ui/logo-picture.tsx';
import { logoFormSchema } from './logo-form-schema.ts';

interface LogoDialogProps {
  mode: 'add' | 'edit';
  logo: Logo;
  onDone: (logo: Logo) => void;
  onClose: () => void;
}

const SOURCES = [
  { value: 'upload', label: 'Upload' },
  { value: 'url', label: 'URL' },
] as const;

type Source = (typeof SOURCES)[number]['value'];

/** Adds or edits a logo, with an uploaded picture or a URL. */
export function LogoDialog({ mode, logo, onDone, onClose }: LogoDialogProps) {
  const [source, setSource] = useState<Source>(mode === 'edit' && logo.imageUrl ? 'url' : 'upload');
  const { register, handleSubmit, control, setValue, formState } = useForm({
    resolver: zodResolver(logoFormSchema),
    defaultValues: logo,
  });
  const imageUrl = useWatch({ control, name: 'imageUrl' }).trim();
  const isLight = useWatch({ control, name: 'isLight' });
  const { upload, isUploading } = useLogoUpload(uploadPictureMutation('logos/'), (url) => setValue('imageUrl', url));

  return (
    <FormDialog
      title={mode === 'add' ? 'Add logo' : 'Edit logo'}
      submitLabel={mode === 'add' ? 'Add' : 'Update'}
      disabled={isUploading}
      onClose={onClose}
      onSubmit={async (event) => {
        // React bubbles submit events through portals, so this would also submit the section's form.
        event.stopPropagation();
        event.preventDefault();
        if (!isUploading) await handleSubmit(onDone, showFirstError)(event);
      }}
      savesByKeyboard
    >
      <Field label="Company name" {...requiredMark(true)} error={formState.errors.name?.message}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
      <SourceChoice source={source} onChange={setSource} />
      {source === 'upload' ? (
        <UploadButton isUploading={isUploading} onFiles={upload} />
      ) : (
        <Field label="Image URL">
          <Input inputMode="url" autoComplete="off" placeholder="https://" {...register('imageUrl')} />
        </Field>
      )}
      {imageUrl && (
        <LogoPicture
          key={imageUrl}
          src={imageUrl}
          alt="Preview"
          isLight={isLight}
          onLoad={({ currentTarget }) => setValue('isLight', isLightPicture(currentTarget) || undefined)}
          fallback={<p className="text-sm text-muted">{explainBlockedPicture(imageUrl)}</p>}
          className="h-20 w-full border border-line p-3"
        />
      )}
      <Field label="Display order" help="Logos with lower numbers are shown first.">
        <Input type="number" min={1} step={1} {...register('order')} />
      </Field>
    </FormDialog>
  );
}

function SourceChoice({ source, onChange }: { source: Source; onChange: (source: Source) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Picture</legend>
      <div className="flex gap-6">
        {SOURCES.map(({ value, label }) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2.5">
            <input
              type="radio"
              name="source"
              checked={source === value}
              onChange={() => onChange(value)}
              className="size-4 accent-(--accent)"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function UploadButton({ isUploading, onFiles }: { isUploading: boolean; onFiles: (files: File[]) => void }) {
  return (
    <div className="grid justify-items-start gap-1.5">
      <FileButton variant="secondary" loading={isUploading} accept={LOGO_TYPES.join(',')} onFiles={onFiles}>
        <Upload aria-hidden="true" />
        Choose a file
      </FileButton>
      <p className="text-sm text-muted">PNG, SVG, JPG or WEBP, up to 2 MB. Without a picture, the name is shown.</p>
    </div>
  );
}
