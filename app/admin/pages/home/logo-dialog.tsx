import { Upload } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { uploadMedia } from '../../../data/media.ts';
import type { Logo } from '../../../data/page-content/logo-banner.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { messageOf } from '../../../ui/tell-failure.ts';
import { toast } from '../../../ui/toast.ts';
import { LOGO_TYPES, refusalOfLogo } from './logo-file.ts';

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

/** Adds or edits a logo of the banner, whose picture is uploaded or has an address. */
export function LogoDialog({ mode, logo, onDone, onClose }: LogoDialogProps) {
  const formId = useId();
  const [source, setSource] = useState<'upload' | 'url'>(mode === 'edit' && logo.imageUrl ? 'url' : 'upload');
  const [imageUrl, setImageUrl] = useState(logo.imageUrl);
  const [isUploading, setUploading] = useState(false);
  const [nameError, setNameError] = useState<string>();
  const name = useRef<HTMLInputElement>(null);
  const order = useRef<HTMLInputElement>(null);

  const upload = async (file: File) => {
    const refusal = refusalOfLogo(file);
    if (refusal) return toast.error(refusal.title, refusal.message);
    setUploading(true);
    try {
      setImageUrl(await uploadMedia(file, 'logos/'));
      toast.success('Image uploaded successfully');
    } catch (error) {
      toast.error('Upload failed', messageOf(error));
    } finally {
      setUploading(false);
    }
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog stands inside the section's form in React's eyes.
    event.stopPropagation();
    if (isUploading) return;
    const company = name.current?.value.trim() ?? '';
    if (!company) {
      setNameError('Company name is required');
      toast.error('Validation error', 'Company name is required');
      name.current?.focus();
      return;
    }
    const place = Number.parseInt(order.current?.value ?? '', 10) || 0;
    onDone({ ...logo, name: company, imageUrl: imageUrl.trim(), order: place });
  };
  /** The shortcut means the form in front. */
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={mode === 'add' ? 'Add Logo' : 'Edit Logo'}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={isUploading}>
            {mode === 'add' ? 'Add' : 'Update'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} onKeyDown={onKeyDown} className="grid grid-cols-1 gap-5 pt-1">
        <Field label="Company name" required error={nameError}>
          <Input ref={name} defaultValue={logo.name} autoComplete="off" onChange={() => setNameError(undefined)} />
        </Field>
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">Picture</legend>
          <div className="flex gap-6">
            {SOURCES.map(({ value, label }) => (
              <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2.5">
                <input
                  type="radio"
                  name="source"
                  checked={source === value}
                  onChange={() => setSource(value)}
                  className="size-4 accent-(--accent)"
                />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        {source === 'upload' ? (
          <UploadButton isUploading={isUploading} onFile={(file) => void upload(file)} />
        ) : (
          <Field label="Picture URL">
            <Input
              inputMode="url"
              autoComplete="off"
              placeholder="https://"
              value={imageUrl}
              onChange={(event) => setImageUrl(event.target.value)}
            />
          </Field>
        )}
        {imageUrl.trim() && (
          <img
            src={imageUrl.trim()}
            alt="Preview"
            className="h-20 w-full rounded-md border border-line bg-sunken object-contain p-3"
          />
        )}
        <Field label="Display order" help="Smaller numbers come first.">
          <Input ref={order} type="number" min={1} step={1} defaultValue={logo.order} />
        </Field>
      </form>
    </Dialog>
  );
}

function UploadButton({ isUploading, onFile }: { isUploading: boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="grid justify-items-start gap-1.5">
      <Button variant="secondary" loading={isUploading} onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        Choose a file
      </Button>
      <p className="text-sm text-muted">PNG, SVG, JPG or WEBP of at most 2 MB. Without a picture, the name is drawn.</p>
      <input
        ref={input}
        type="file"
        aria-label="Logo file"
        accept={LOGO_TYPES.join(',')}
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
          event.target.value = '';
        }}
      />
    </div>
  );
}
