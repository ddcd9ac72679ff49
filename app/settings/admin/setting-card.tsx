import { useLocation } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { Versioned } from '../../editing/document.ts';
import {
  DocumentForm,
  DocumentPresence,
  DocumentRelease,
  DocumentRestore,
  type RestoredVersion,
} from '../../editing/document-form.tsx';
import { useDocument } from '../../editing/use-document.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { settingDocument } from '../setting-document.ts';
import type { Setting } from '../settings.ts';
import { siteNameHint } from '../site-name.ts';
import { SettingControl } from './setting-control.tsx';
import { SettingEffect } from './setting-effect.tsx';

interface SettingCardProps {
  settingKey: string;
  setting: Setting;
  /** Undefined if no value is saved. */
  saved: Versioned<string> | undefined;
  /** Version selected in the history. */
  restored: RestoredVersion | undefined;
  onRestored: () => void;
}

/** A setting with its own save button. Errors are shown on the card. */
export function SettingCard({ settingKey, setting, saved, restored, onRestored }: SettingCardProps) {
  const [document] = useState(() => settingDocument(settingKey, setting));
  const editing = useDocument({ document, initial: document.versionOf(saved) });
  const { register, formState, getFieldState, setFocus, control: formControl } = editing.form;
  const hint = siteNameHint(useWatch({ control: formControl, name: 'value' }));
  useFocusOnLink(settingKey, () => setFocus('value'));
  const buttons = (
    <div className="ml-auto flex flex-wrap justify-end gap-2">
      {formState.isDirty && settingKey !== 'require_second_factor' && (
        // Move the focus, because the button that opened the dialog unmounts after the change.
        <DocumentRelease size="sm" onSaved={() => setTimeout(() => setFocus('value'), 0)} />
      )}
      <Button
        type="submit"
        size="sm"
        variant={formState.isDirty ? 'primary' : 'secondary'}
        loading={editing.isSaving}
        // A disabled button would lose keyboard focus.
        aria-disabled={!formState.isDirty}
        onClick={formState.isDirty ? undefined : (event) => event.preventDefault()}
      >
        Save Changes
      </Button>
    </div>
  );
  const control = <SettingControl input={setting.input} label={setting.label} {...register('value')} />;
  // A switch leaves space for the buttons beside it.
  const isSwitch = setting.input === 'on-off';
  return (
    <DocumentForm
      editing={editing}
      isCard
      id={settingKey}
      className="scroll-mt-24 gap-3 rounded-lg border border-line bg-surface px-5 py-4"
      bar={null}
    >
      <Field
        beside
        below={
          !isSwitch && (
            <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
              <div className="min-w-0 flex-[1_1_12rem]">
                <SettingEffect settingKey={settingKey} />
              </div>
              {buttons}
            </div>
          )
        }
        label={setting.label}
        help={[setting.help, hint].filter(Boolean).join(' ')}
        error={getFieldState('value', formState).error?.message}
      >
        {isSwitch ? (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            {control}
            {buttons}
          </div>
        ) : (
          control
        )}
      </Field>
      {restored && (
        <DocumentRestore
          {...restored}
          onRestored={() => {
            onRestored();
            // Wait until the history dialog has restored focus.
            setTimeout(() => setFocus('value'), 0);
          }}
        />
      )}
      {formState.isDirty && <DocumentPresence />}
    </DocumentForm>
  );
}

/** Focuses the setting if the command palette links to it. */
function useFocusOnLink(settingKey: string, focus: () => void) {
  const isLinked = useLocation().hash === settingKey;
  const onLinked = useEffectEvent(focus);
  useEffect(() => {
    if (!isLinked) return;
    // Wait until the palette has restored focus.
    const timer = setTimeout(() => onLinked(), 0);
    return () => clearTimeout(timer);
  }, [isLinked]);
}
