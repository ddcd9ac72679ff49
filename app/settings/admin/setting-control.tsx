import { type UseFormRegisterReturn, useController, useFormContext } from 'react-hook-form';
import { useFieldProps } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import type { Setting } from '../settings.ts';
import { LinksControl } from './links-control.tsx';

interface SettingControlProps extends UseFormRegisterReturn {
  input: Setting['input'];
  label: string;
}

export function SettingControl({ input, label, ...inputProps }: SettingControlProps) {
  if (input === 'links') return <LinksControl name={inputProps.name} label={label} />;
  if (input === 'text' || input === 'code')
    return <Textarea rows={2} className="min-h-16!" spellCheck={input === 'text'} {...inputProps} />;
  if (input === 'on-off') return <OnOffControl name={inputProps.name} />;
  return <Input type={input === 'line' ? 'text' : input} min={input === 'number' ? 0 : undefined} {...inputProps} />;
}

/** Renders a switch whose value is saved as `on` or `off`. */
function OnOffControl({ name }: { name: string }) {
  const { field } = useController({ name, control: useFormContext().control });
  const isOn = field.value === 'on';
  return (
    <Switch
      {...useFieldProps()}
      ref={field.ref}
      name={name}
      checked={isOn}
      onChange={(event) => field.onChange(event.target.checked ? 'on' : 'off')}
      onBlur={field.onBlur}
      className="min-h-6 justify-self-start max-sm:-my-2.5 max-sm:min-h-11"
      // Hidden from screen readers, because the field provides the label and the switch exposes its state.
      label={<span aria-hidden="true">{isOn ? 'On' : 'Off'}</span>}
    />
  );
}
