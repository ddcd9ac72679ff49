import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { z } from 'zod';
import type { Release, ReleaseChange } from '../../data/releases/releases.ts';
import { type Setting, settingOf } from '../../data/settings/settings.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { ChangeForm } from '../releases/change-form.tsx';
import { EditedChange } from '../releases/edited-change.tsx';
import { SettingControl } from './setting-control.tsx';

/** The form of one setting as it waits in a release. */
export function SettingInRelease({ releaseId, settingKey }: { releaseId: string; settingKey: string }) {
  const setting = settingOf(settingKey);
  return (
    <div className="grid max-w-[45rem] grid-cols-1 gap-6">
      <ScreenHeader title="Edit Setting" />
      {setting ? (
        <EditedChange releaseId={releaseId} where={{ kind: 'site_settings', item_id: settingKey }}>
          {(change, release) => <SettingForm change={change} release={release} setting={setting} />}
        </EditedChange>
      ) : (
        <EmptyState title="No such setting" />
      )}
    </div>
  );
}

function SettingForm({ change, release, setting }: { change: ReleaseChange; release: Release; setting: Setting }) {
  const [schema] = useState(() => z.object({ value: setting.schema }));
  return (
    <ChangeForm
      change={change}
      release={release}
      schema={schema}
      values={{ value: String(change.data?.['setting_value']) }}
      toData={({ value }) => ({ setting_key: change.item_id, setting_value: value })}
    >
      <ValueField setting={setting} />
    </ChangeForm>
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
