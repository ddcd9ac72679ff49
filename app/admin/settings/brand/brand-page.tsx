import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import { brandSchema } from '../../../data/brand/brand.ts';
import {
  accentFrom,
  type Brand,
  heldBrand,
  logoFrom,
  mergeBrands,
  rulesOfAccent,
  saveBrandMutation,
} from '../../../data/brand/brand-editing.ts';
import { allSettingsQuery, isVersioned, type Versioned } from '../../../data/editing/texts-editing.ts';
import { siteSettingsQuery } from '../../../data/settings/site-settings.ts';
import { readColour, refusalOfAccent } from '../../../lib/accent.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { LoadError } from '../../../ui/load-error.tsx';
import { ScreenHeader } from '../../../ui/screen-header.tsx';
import { EditingSign } from '../../co-editing/editing-sign.tsx';
import { showSaved } from '../../co-editing/show-saved.ts';
import { TextConflictDialog } from '../../co-editing/text-conflict-dialog.tsx';
import { useTextSave } from '../../co-editing/use-text-save.ts';
import { FormSkeleton } from '../../form/form-skeleton.tsx';
import { LeaveGuard } from '../../form/leave-guard.tsx';
import { PreviewFrame } from '../../form/preview-frame.tsx';
import { RefusedWrite } from '../../form/refused-write.tsx';
import { UnsavedBar } from '../../form/unsaved-bar.tsx';
import { HistoryButton } from '../../history/history-button.tsx';
import { SettingsTabs } from '../settings-tabs.tsx';
import { AccentField } from './accent-field.tsx';
import { BrandSample } from './brand-sample.tsx';
import { LogoFields } from './logo-fields.tsx';

/** Names the form. */
const PLACE = 'settings/brand';

/** Page on which the owner sets the logo and the accent colour, beside what they make of the site. */
export function BrandPage() {
  const { data: saved, error, isPending, refetch } = useQuery(allSettingsQuery);
  return (
    <div data-wide className="grid grid-cols-1 gap-6">
      <ScreenHeader title="Settings" page="Brand" />
      <SettingsTabs />
      {isPending && <FormSkeleton />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {saved && <BrandForm saved={heldBrand(saved)} />}
    </div>
  );
}

function BrandForm({ saved }: { saved: Versioned<Brand> }) {
  const [initial] = useState(saved);
  const form = useForm<Brand>({ resolver: zodResolver(brandSchema), defaultValues: initial.content, mode: 'onChange' });
  const saving = useTextSave({
    initial,
    mutation: saveBrandMutation,
    success: 'Setting updated successfully',
    failure: 'Error updating setting',
    merge: mergeBrands,
    isValid: (merged) => brandSchema.safeParse(merged).success,
    onSaved: (brand, sent, isMerged) => showSaved(form, brand, sent, isMerged),
    onUnsaved: (merged) => {
      form.reset(merged, { keepDefaultValues: true });
      void form.trigger(undefined, { shouldFocus: true });
    },
  });
  const kept = { schema: brandSchema, place: PLACE, base: saving.opened };
  return (
    <FormProvider {...form}>
      <div className="grid grid-cols-1 items-start gap-8 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <Form
          savesByKeyboard
          onSubmit={form.handleSubmit((brand) => saving.save(brand))}
          className="grid grid-cols-1 gap-6"
        >
          <UnsavedBar
            {...kept}
            onContinue={(base) => isVersioned(base) && saving.setOpened(base as Versioned<Brand>)}
          />
          <RefusedWrite error={saving.refusal} />
          <LogoFields>
            <HistoryButton
              {...kept}
              item={{ kind: 'site_settings', itemId: 'brand_logo' }}
              of="Logo"
              valuesOf={({ setting_value }) => ({ logo: logoFrom(String(setting_value)) })}
            />
          </LogoFields>
          <AccentField>
            <HistoryButton
              {...kept}
              item={{ kind: 'site_settings', itemId: 'brand_accent' }}
              of="Accent colour"
              valuesOf={({ setting_value }) => ({ accent: accentFrom(String(setting_value)) })}
            />
          </AccentField>
          {form.formState.isDirty && <EditingSign kind="site_settings" itemId="brand_accent" />}
          <div className="save-bar">
            <Button type="submit" loading={saving.isSaving} title="Ctrl+S or Cmd+S">
              Save Changes
            </Button>
          </div>
        </Form>
        <Previews />
      </div>
      <LeaveGuard />
      <TextConflictDialog one="setting" saving={saving} />
    </FormProvider>
  );
}

/** Both themes with what is in the form; for a colour that is refused, with the nearest one that is not. */
function Previews() {
  const typed = useDeferredValue(useWatch<Brand>() as Brand);
  const siteName = useQuery(siteSettingsQuery).data?.site_name ?? '';
  const isWide = useMediaQuery('(width >= 48rem)');
  const colour = readColour(typed.accent) ?? '';
  const accent = (colour && refusalOfAccent(colour)?.nearest) || colour;
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
            accent={rulesOfAccent(accent)}
            width={isWide ? 720 : 390}
          >
            <BrandSample siteName={siteName} logo={typed.logo} />
          </PreviewFrame>
        ))}
      </div>
    </section>
  );
}
