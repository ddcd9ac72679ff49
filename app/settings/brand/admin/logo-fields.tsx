import { clsx } from 'clsx';
import { Trash2, Upload } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useController } from 'react-hook-form';
import { LOGO_TYPES } from '../../../media/logo-file.ts';
import { useLogoUpload } from '../../../media/use-logo-upload.ts';
import { Button } from '../../../ui/button.tsx';
import { FileButton } from '../../../ui/form/file-button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { Brand } from '../brand-editing.ts';
import type { LogoPicture } from '../brand-logo.ts';
import { uploadBrandLogoMutation } from './upload-brand-logo.ts';

/** Wider than this, a logo is taken to say the name itself. */
const WORDMARK_RATIO = 2;

/**
 * The logo for light grounds, the one for dark grounds, and whether the name stands beside them. The children stand
 * beside the heading.
 */
export function LogoFields({ children }: { children: ReactNode }) {
  const { field } = useController<Brand, 'logo'>({ name: 'logo' });
  const { light, dark, showsName } = field.value;
  const change = (values: Partial<Brand['logo']>) => field.onChange({ ...field.value, ...values });
  return (
    <section className="grid grid-cols-1 gap-5 rounded-lg border border-line bg-surface p-5">
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-lg font-semibold">Logo</h2>
          {children}
        </div>
        <p className="text-sm text-muted">
          PNG, SVG, JPG or WEBP of at most 2 MB, best without a ground of its own. The small icon of the site is made
          from it; a wide logo gives way there to the first letter of the name. Without a logo, the built-in mark is
          shown.
        </p>
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <LogoSlot
          label="On light grounds"
          picture={light}
          ground="light"
          onPicture={(picture) =>
            change({ light: picture, ...(!light && { showsName: picture.width < picture.height * WORDMARK_RATIO }) })
          }
          onRemove={() => change({ light: null, dark: null })}
        />
        <LogoSlot
          label="On dark grounds"
          picture={dark}
          fallback={light}
          ground="dark"
          onPicture={(picture) => change({ dark: picture })}
          onRemove={() => change({ dark: null })}
        />
      </div>
      {light && (
        <Switch
          label="Show the site’s name beside the logo"
          checked={showsName}
          onChange={(event) => change({ showsName: event.target.checked })}
        />
      )}
    </section>
  );
}

interface LogoSlotProps {
  label: string;
  picture: LogoPicture | null;
  /** Picture that is shown there while it has none of its own. */
  fallback?: LogoPicture | null;
  ground: 'light' | 'dark';
  onPicture: (picture: LogoPicture) => void;
  onRemove: () => void;
}

function LogoSlot({ label, picture, fallback, ground, onPicture, onRemove }: LogoSlotProps) {
  const { upload, isUploading } = useLogoUpload(uploadBrandLogoMutation, onPicture);
  const id = useId();
  const shown = picture ?? fallback;
  // A logo for dark grounds goes with one for light grounds.
  const isOffered = ground === 'light' || shown;
  return (
    <fieldset aria-labelledby={id} className="grid min-w-0 grid-cols-1 content-start gap-2.5">
      <h3 id={id} className="text-sm font-medium">
        {label}
      </h3>
      <div
        className={clsx(
          'grid h-24 place-items-center rounded-md border border-line p-4 text-center text-sm',
          ground === 'light' ? 'bg-[#f8f6ef] text-[#4a5a53]' : 'bg-[#08110e] text-[#a4b3a9]',
        )}
      >
        {shown ? (
          <img src={shown.address} alt={label} className="max-h-16 max-w-full object-contain" />
        ) : (
          <span>{isOffered ? 'The built-in mark' : 'First the one for light grounds'}</span>
        )}
      </div>
      {fallback && !picture && <p className="text-sm text-muted">The same, until there is one of its own.</p>}
      {isOffered && (
        <div className="flex flex-wrap gap-2">
          <FileButton
            variant="secondary"
            size="sm"
            loading={isUploading}
            accept={LOGO_TYPES.join(',')}
            aria-label={`${picture ? 'Replace' : 'Upload'} the logo ${label.toLowerCase()}`}
            onFiles={upload}
          >
            <Upload aria-hidden="true" />
            {picture ? 'Replace' : 'Upload'}
          </FileButton>
          {picture && (
            <Button variant="ghost" size="sm" aria-label={`Remove the logo ${label.toLowerCase()}`} onClick={onRemove}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}
