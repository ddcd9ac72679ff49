import { Braces } from 'lucide-react';
import { useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Field, useFieldProps } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { parseSocialLinks } from '../read-site-settings.ts';
import { replaceLink } from './replace-link.ts';

/** Platforms that are always shown. */
const PLATFORMS: Record<string, string> = {
  linkedin: 'LinkedIn',
  instagram: 'Instagram',
  facebook: 'Facebook',
  twitter: 'X',
  youtube: 'YouTube',
};

/**
 * Edits a JSON object of URLs by platform, with a field per platform. Invalid JSON is edited as text. Valid JSON can be
 * edited as text, too.
 */
export function LinksControl({ name, label }: { name: string; label: string }) {
  const { field } = useController({ name, control: useFormContext().control });
  const [isText, setText] = useState(false);
  const text = String(field.value);
  const links = parseSocialLinks(text);
  const change = (next: string) => field.onChange(next);
  if (isText || !links) {
    return (
      <div className="grid grid-cols-1 justify-items-start gap-2">
        <Textarea {...field} value={text} rows={5} spellCheck={false} className="font-mono text-sm" />
        {links && (
          <Button variant="ghost" size="sm" onClick={() => setText(false)}>
            Edit as fields
          </Button>
        )}
      </div>
    );
  }
  return <LinkFields {...{ label, links, text, change }} fieldRef={field.ref} onText={() => setText(true)} />;
}

interface LinkFieldsProps {
  label: string;
  links: Record<string, string>;
  /** JSON text of the links. */
  text: string;
  change: (text: string) => void;
  fieldRef: (element: HTMLInputElement | null) => void;
  onText: () => void;
}

function LinkFields({ label, links, text, change, fieldRef, onText }: LinkFieldsProps) {
  const { 'aria-describedby': describedBy } = useFieldProps();
  const keys = [...new Set([...Object.keys(PLATFORMS), ...Object.keys(links)])];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its legend above the fields, where the label is
    <div
      role="group"
      aria-label={label}
      aria-describedby={describedBy}
      className="grid grid-cols-1 gap-x-4 gap-y-2 @xl:grid-cols-2"
    >
      {keys.map((key, index) => (
        <Field
          key={key}
          label={PLATFORMS[key] ?? key}
          error={isEmptyOrUrl(links[key]) ? undefined : 'URLs must begin with https://.'}
        >
          <Input
            ref={index === 0 ? fieldRef : undefined}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            value={links[key] ?? ''}
            onChange={(event) => change(replaceLink(text, key, event.target.value))}
          />
        </Field>
      ))}
      <Button variant="ghost" size="sm" className="mb-1 self-end justify-self-start" onClick={onText}>
        <Braces aria-hidden="true" />
        Edit as JSON
      </Button>
    </div>
  );
}

/** Returns true if the text is empty or a URL. Only URLs are published to search engines. */
function isEmptyOrUrl(text = ''): boolean {
  return text.trim() === '' || /^https?:\/\/\S/.test(text.trim());
}
