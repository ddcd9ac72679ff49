import { zodResolver } from '@hookform/resolvers/zod';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { heldSetting, isVersioned, saveSettingMutation, type Versioned } from '../../data/editing/texts-editing.ts';
import { textForRelease } from '../../data/releases/releases.ts';
import type { Setting } from '../../data/settings/settings.ts';
import { siteNameHint } from '../../data/settings/site-name.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { EditingSign } from '../co-editing/editing-sign.tsx';
import { mergeSettings } from '../co-editing/merge-settings.ts';
import { showSaved } from '../co-editing/show-saved.ts';
import { TextConflictDialog } from '../co-editing/text-conflict-dialog.tsx';
import { useTextSave } from '../co-editing/use-text-save.ts';
import { RefusedWrite } from '../form/refused-write.tsx';
import { UnsavedBar } from '../form/unsaved-bar.tsx';
import { HistoryButton } from '../history/history-button.tsx';
import { SaveToRelease } from '../releases/save-to-release.tsx';
import { WaitingNote } from '../releases/waiting-note.tsx';
import { SettingControl } from './setting-control.tsx';

interface SettingCardProps {
  settingKey: string;
  setting: Setting;
  /** Undefined while nothing is saved. */
  saved: Versioned<string> | undefined;
}

/** One setting with its own save. The card shows a refusal, never a toast. */
export function SettingCard({ settingKey, setting, saved }: SettingCardProps) {
  const [schema] = useState(() => z.object({ value: setting.schema }));
  const [initial] = useState(() => heldSetting(saved, setting.default));
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { value: initial.content } });
  const { register, handleSubmit, formState } = form;
  const hint = siteNameHint(useWatch({ control: form.control, name: 'value' }));
  const saving = useTextSave({
    initial,
    mutation: saveSettingMutation(settingKey, setting.default),
    success: 'Setting updated successfully',
    failure: 'Error updating setting',
    merge: mergeSettings,
    isValid: (merged) => setting.schema.safeParse(merged).success,
    onSaved: (value, sent, isMerged) => showSaved(form, { value }, { value: sent }, isMerged),
    onUnsaved: (value) => {
      form.reset({ value }, { keepDefaultValues: true });
      void form.trigger(undefined, { shouldFocus: true });
    },
  });
  // The palette leads to one of them.
  const isWanted = useLocation().hash === settingKey;
  const { setFocus } = form;
  useEffect(() => {
    if (!isWanted) return;
    // After the palette, which closes, has given the focus back.
    const timer = setTimeout(() => setFocus('value'), 0);
    return () => clearTimeout(timer);
  }, [isWanted, setFocus]);
  return (
    <FormProvider {...form}>
      <Form
        id={settingKey}
        savesByKeyboard
        onSubmit={handleSubmit(({ value }) => saving.save(value))}
        className="grid scroll-mt-24 grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-5"
      >
        <UnsavedBar
          place={`settings/${settingKey}`}
          schema={schema}
          base={saving.opened}
          onContinue={(base) => isVersioned(base) && saving.setOpened(base as typeof initial)}
        />
        <RefusedWrite error={saving.refusal} />
        <Field
          beside
          label={setting.label}
          help={[setting.help, hint].filter(Boolean).join(' ')}
          error={formState.errors.value?.message}
        >
          <SettingControl input={setting.input} label={setting.label} {...register('value')} />
        </Field>
        {formState.isDirty && <EditingSign kind="site_settings" itemId={settingKey} />}
        <WaitingNote kind="site_settings" itemId={settingKey} one="setting" />
        <div className="flex flex-wrap justify-end gap-2">
          <HistoryButton
            item={{ kind: 'site_settings', itemId: settingKey }}
            of={setting.label}
            schema={schema}
            place={`settings/${settingKey}`}
            base={saving.opened}
            valuesOf={({ setting_value }) => ({ value: setting_value })}
          />
          {formState.isDirty && settingKey !== 'require_second_factor' && (
            <SaveToRelease
              one="setting"
              size="sm"
              changeOf={({ value }) =>
                textForRelease({
                  kind: 'site_settings',
                  itemId: settingKey,
                  key: { setting_key: settingKey },
                  values: { setting_value: value },
                  version: saving.opened.version,
                })
              }
              onSaved={() => {
                form.reset();
                // The button that opened the dialog goes with the change.
                setTimeout(() => setFocus('value'), 0);
              }}
            />
          )}
          <Button
            type="submit"
            size="sm"
            variant={formState.isDirty ? 'primary' : 'secondary'}
            loading={saving.isSaving}
            // A disabled button would lose the focus of the person who saved with it.
            aria-disabled={!formState.isDirty}
            onClick={formState.isDirty ? undefined : (event) => event.preventDefault()}
          >
            Save Changes
          </Button>
        </div>
      </Form>
      <TextConflictDialog one="setting" saving={saving} />
    </FormProvider>
  );
}
