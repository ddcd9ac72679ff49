import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { saveSettingMutation } from '../../data/texts-editing.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { messageOf } from '../../ui/tell-failure.ts';
import { Textarea } from '../../ui/textarea.tsx';
import { toast } from '../../ui/toast.ts';
import { refusalOf, type Setting } from './settings.ts';

interface SettingCardProps {
  setting: Setting;
  /** Undefined while nothing is saved. */
  saved: string | undefined;
}

/** One setting with its own save. What it refuses is said in the card, never in a toast. */
export function SettingCard({ setting, saved }: SettingCardProps) {
  const save = useMutation(saveSettingMutation);
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (!control.current) return;
    const { value, validity } = control.current;
    const reason = validity.typeMismatch ? 'Enter a valid e-mail address.' : refusalOf(setting, value);
    setRefusal(reason);
    if (reason) return control.current.focus();
    try {
      await save.mutateAsync({ setting_key: setting.key, setting_value: value });
      toast.success('Setting updated successfully');
    } catch (error) {
      toast.error('Error updating setting', messageOf(error));
    }
  };

  const shared = {
    ref: control,
    // An empty text counts as not saved, on the site as well.
    defaultValue: saved?.trim() ? saved : setting.default,
    onChange: () => refusal && setRefusal(null),
  };
  return (
    <form
      noValidate
      onSubmit={(event) => void onSubmit(event)}
      className="grid grid-cols-1 gap-4 rounded-lg border border-line bg-surface p-5"
    >
      <Field label={setting.label} help={setting.help} error={refusal ?? undefined}>
        {setting.input === 'text' || setting.input === 'json' || setting.input === 'origins' ? (
          <Textarea {...shared} rows={3} spellCheck={setting.input === 'text'} />
        ) : (
          <Input {...shared} type={INPUT_TYPES[setting.input]} min={setting.input === 'number' ? 0 : undefined} />
        )}
      </Field>
      <div className="flex items-center justify-between gap-3">
        <p className="font-mono text-label text-muted">{setting.key}</p>
        <Button type="submit" size="sm" variant="secondary" loading={save.isPending}>
          Save Changes
        </Button>
      </div>
    </form>
  );
}

const INPUT_TYPES = { line: 'text', email: 'email', number: 'number' } as const;
