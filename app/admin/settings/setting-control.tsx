import type { UseFormRegisterReturn } from 'react-hook-form';
import type { Setting } from '../../data/settings/settings.ts';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { LinksControl } from './links-control.tsx';

interface SettingControlProps extends UseFormRegisterReturn {
  input: Setting['input'];
  /** Name of the field. */
  label: string;
}

/** Control in which a setting is typed or chosen. */
export function SettingControl({ input, label, ...registered }: SettingControlProps) {
  if (input === 'links') return <LinksControl name={registered.name} label={label} />;
  if (input === 'text' || input === 'code') return <Textarea rows={3} spellCheck={input === 'text'} {...registered} />;
  if (input === 'on-off') {
    return (
      <Select {...registered}>
        <option value="off">Off</option>
        <option value="on">On</option>
      </Select>
    );
  }
  return <Input type={input === 'line' ? 'text' : input} min={input === 'number' ? 0 : undefined} {...registered} />;
}
