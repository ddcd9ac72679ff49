import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useWatch } from 'react-hook-form';
import type { Versioned } from '../../../editing/document.ts';
import { DocumentForm, DocumentHistory, SaveBar } from '../../../editing/document-form.tsx';
import { PresenceIndicator } from '../../../editing/presence-indicator.tsx';
import { useDocument } from '../../../editing/use-document.ts';
import { FormSkeleton } from '../../../ui/form/form-skeleton.tsx';
import { LeaveGuard } from '../../../ui/form/leave-guard.tsx';
import { PreviewFrame } from '../../../ui/form/preview-frame.tsx';
import { useMediaQuery } from '../../../ui/lib/use-media-query.ts';
import { LoadError } from '../../../ui/load-error.tsx';
import { ScreenHeader } from '../../../ui/screen-header.tsx';
import { SettingsTabs } from '../../admin/settings-tabs.tsx';
import { allSettingsQuery } from '../../setting-document.ts';
import { siteSettingsQuery } from '../../site-settings.ts';
import { checkAccentContrast, readColour } from '../accent.ts';
import { type Brand, brandDocument, buildAccentRules, readSavedBrand } from '../brand-editing.ts';
import { AccentField } from './accent-field.tsx';
import { BrandSample } from './brand-sample.tsx';
import { LogoFields } from './logo-fields.tsx';

/** Renders the logo and accent colour settings, with a preview. */
export function BrandPage() {
  const { data: saved, error, isPending, refetch } = useQuery(allSettingsQuery);
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenHeader title="Settings" page="Brand" />
      <SettingsTabs />
      {isPending && <FormSkeleton />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {saved && <BrandForm saved={readSavedBrand(saved)} />}
    </div>
  );
}

function BrandForm({ saved }: { saved: Versioned<Brand> }) {
  const editing = useDocument({ document: brandDocument, initial: saved, mode: 'onChange' });
  return (
    <DocumentForm
      editing={editing}
      isCard
      aside={<Previews />}
      asideClass="xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]"
      bar={<SaveBar label="Save Changes" />}
    >
      <LogoFields>
        <DocumentHistory id="brand_logo" subject="Logo" />
      </LogoFields>
      <AccentField>
        <DocumentHistory id="brand_accent" subject="Accent colour" />
      </AccentField>
      {editing.form.formState.isDirty && <PresenceIndicator kind="site_settings" itemId="brand_accent" />}
      <LeaveGuard />
    </DocumentForm>
  );
}

/** Previews the brand in both themes. If the colour is too light, the preview uses the nearest colour that passes. */
function Previews() {
  const accentText = useDeferredValue(useWatch<Brand, 'accent'>({ name: 'accent' }));
  const logo = useDeferredValue(useWatch<Brand, 'logo'>({ name: 'logo' }));
  const siteName = useQuery(siteSettingsQuery).data?.site_name ?? '';
  const isWide = useMediaQuery('(width >= 48rem)');
  const colour = readColour(accentText) ?? '';
  const accent = (colour && checkAccentContrast(colour)?.nearest) || colour;
  return (
    <section aria-labelledby="preview-heading" className="grid grid-cols-1 gap-3 xl:sticky xl:top-20">
      <h2 id="preview-heading" className="font-mono text-label text-muted">
        Preview
      </h2>
      <div className="grid grid-cols-1 gap-4">
        {(['light', 'dark'] as const).map((theme) => (
          <PreviewFrame
            key={theme}
            label={theme === 'light' ? 'Light theme' : 'Dark theme'}
            theme={theme}
            accent={buildAccentRules(accent)}
            width={isWide ? 720 : 390}
          >
            <BrandSample siteName={siteName} logo={logo} />
          </PreviewFrame>
        ))}
      </div>
    </section>
  );
}
