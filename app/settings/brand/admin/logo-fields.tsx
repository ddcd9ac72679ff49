import { clsx } from 'clsx';
import { Trash2, Upload } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { LOGO_TYPES } from '../../../media/logo-file.ts';
import { useLogoUpload } from '../../../media/use-logo-upload.ts';
import { Button } from '../../../ui/button.tsx';
import { FileButton } from '../../../ui/form/file-button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { readColour } from '../accent.ts';
import type { Brand } from '../brand-editing.ts';
import { BrandLogoContext, type LogoPicture } from '../brand-logo.ts';
import { LogoMark } from '../logo.tsx';
import { uploadBrandLogoMutation } from './upload-brand-logo.ts';

/** Logos wider than this are assumed to contain the name. */
const WORDMARK_RATIO = 2;

/** Logos for light and dark backgrounds, and a switch for the name. The children are shown beside the heading. */
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
          PNG, SVG, JPG or WEBP up to 2 MB, ideally with a transparent background. The logo for light backgrounds is
          also the site icon. If it is wide or tall, the icon shows the first letter of the name instead.
        </p>
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <LogoSlot
          label="On light backgrounds"
          picture={light}
          background="light"
          onPicture={(picture) =>
            change({ light: picture, ...(!light && { showsName: picture.width < picture.height * WORDMARK_RATIO }) })
          }
          onRemove={() => change({ light: null, dark: null })}
        />
        <LogoSlot
          label="On dark backgrounds"
          picture={dark}
          fallback={light}
          background="dark"
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
  /** Shown if there is no separate picture. */
  fallback?: LogoPicture | null;
  background: 'light' | 'dark';
  onPicture: (picture: LogoPicture) => void;
  onRemove: () => void;
}

function LogoSlot({ label, picture, fallback, background, onPicture, onRemove }: LogoSlotProps) {
  const { upload, isUploading } = useLogoUpload(uploadBrandLogoMutation, onPicture);
  const id = useId();
  const accent = readColour(useWatch<Brand, 'accent'>({ name: 'accent' }));
  const shownPicture = picture ?? fallback;
  // A logo for dark backgrounds requires one for light backgrounds.
  const canUpload = background === 'light' || shownPicture;
  return (
    <fieldset aria-labelledby={id} className="grid min-w-0 grid-cols-1 content-start gap-2.5">
      <h3 id={id} className="text-sm font-medium">
        {label}
      </h3>
      <div
        // In the dark theme, the accent on a light background is not that of the page.
        style={background === 'light' && accent ? { '--accent': accent } : undefined}
        className={clsx(
          'grid h-24 place-items-center rounded-md border border-line p-4',
          background === 'light' ? 'bg-[#f8f6ef]' : 'dark bg-[#08110e]',
        )}
      >
        {shownPicture ? (
          <img src={shownPicture.address} alt={label} className="max-h-16 max-w-full object-contain" />
        ) : (
          <BrandLogoContext value={null}>
            <LogoMark className="size-12" />
          </BrandLogoContext>
        )}
      </div>
      {!picture && (
        <p className="text-sm text-muted">
          {fallback
            ? 'Uses the logo for light backgrounds until you upload one.'
            : `The built-in mark. ${canUpload ? 'Upload your own logo to replace it.' : 'Upload the logo for light backgrounds first.'}`}
        </p>
      )}
      {canUpload && (
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
