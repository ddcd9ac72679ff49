import { useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useEffect, useEffectEvent, useState } from 'react';
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
import { SettingControl } from './setting-control.tsx';
import { SettingEffect } from './setting-effect.tsx';

interface SettingRowProps {
  settingKey: string;
  setting: Setting;
  /** Undefined if no value is saved. */
  saved: Versioned<string> | undefined;
  /** Version selected in the history. */
  restored: RestoredVersion | undefined;
  onRestored: () => void;
}

/** Renders a setting with its own save button. Errors are shown in the row. */
export function SettingRow({ settingKey, setting, saved, restored, onRestored }: SettingRowProps) {
  const [document] = useState(() => settingDocument(settingKey, setting));
  const editing = useDocument({ document, initial: document.readVersion(saved) });
  const { register, formState, getFieldState, setFocus } = editing.form;
  const { isDirty } = formState;
  useFocusOnLink(settingKey, () => setFocus('value'));
  return (
    <DocumentForm
      editing={editing}
      isCard
      id={settingKey}
      className={clsx(
        'group relative scroll-mt-24 gap-3 px-5 pt-1.5 pb-4 xl:py-2',
        isDirty && 'before:absolute before:inset-y-3 before:left-0 before:w-0.5 before:rounded-full before:bg-accent',
      )}
      bar={null}
    >
      <Field
        isRow
        label={setting.label}
        help={<SettingEffect settingKey={settingKey} setting={setting} />}
        error={getFieldState('value', formState).error?.message}
        action={
          <Button
            type="submit"
            size="sm"
            variant={isDirty ? 'primary' : 'secondary'}
            loading={editing.isSaving}
            // A disabled button would lose keyboard focus.
            aria-disabled={!isDirty}
            tabIndex={isDirty ? undefined : -1}
            onClick={isDirty ? undefined : (event) => event.preventDefault()}
            className={clsx(
              'mt-0.5 self-start',
              setting.input === 'on-off' ? '@2xl:-my-1.5' : '@2xl:mt-1',
              // Invisible but not removed, to prevent a layout shift. Shown as disabled while the row has the focus.
              !isDirty && 'not-group-focus-within:opacity-0!',
            )}
          >
            Save Changes
          </Button>
        }
        moreAction={
          isDirty &&
          settingKey !== 'require_second_factor' && (
            <div data-compact className="-my-2 -mr-3 shrink-0">
              {/* Move the focus, because the button that opened the dialog unmounts after the change. */}
              <DocumentRelease size="sm" onSaved={() => setTimeout(() => setFocus('value'), 0)} />
            </div>
          )
        }
      >
        <SettingControl input={setting.input} label={setting.label} {...register('value')} />
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
      {isDirty && <DocumentPresence />}
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
