import { useFormContext } from 'react-hook-form';
import { ChangeForm } from '../../editing/change-form.tsx';
import { EditedChange } from '../../editing/edited-change.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { settingDocument } from '../setting-document.ts';
import { findSetting, type Setting } from '../settings.ts';
import { SettingControl } from './setting-control.tsx';

/** Renders the form for a setting's change in a release. */
export function SettingInRelease({ releaseId, settingKey }: { releaseId: string; settingKey: string }) {
  const setting = findSetting(settingKey);
  return (
    <div className="grid max-w-form grid-cols-1 gap-6">
      <ScreenHeader title="Edit Setting" />
      {setting ? (
        <EditedChange releaseId={releaseId} filter={{ kind: 'site_settings', item_id: settingKey }}>
          {(change, release) => (
            <ChangeForm change={change} release={release} document={settingDocument(settingKey, setting)}>
              <ValueField setting={setting} />
            </ChangeForm>
          )}
        </EditedChange>
      ) : (
        <EmptyState title="Setting not found" />
      )}
    </div>
  );
}

function ValueField({ setting }: { setting: Setting }) {
  const { register, formState } = useFormContext<{ value: string }>();
  return (
    <Field label={setting.label} help={setting.help} error={formState.errors.value?.message}>
      <SettingControl input={setting.input} label={setting.label} {...register('value')} />
    </Field>
  );
}
