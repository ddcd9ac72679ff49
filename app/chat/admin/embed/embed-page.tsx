import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { acceptedAccent } from '../../../settings/brand/accent.ts';
import { siteSettingsQuery } from '../../../settings/site-settings.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { copyText } from '../../../ui/lib/copy-text.ts';
import { ScreenHeader } from '../../../ui/screen-header.tsx';
import { Select } from '../../../ui/select.tsx';
import { showError } from '../../../ui/show-error.ts';
import { toast } from '../../../ui/toast.ts';
import { type EmbedOptions, embedSnippet, examplePage } from './snippet.ts';

/** Debounce delay before the example reloads. */
const DEBOUNCE_MS = 400;

/** Generates the embed snippet and shows a live example. */
export function EmbedPage() {
  const [options, setOptions] = useState<EmbedOptions>({ position: 'right', color: null, greeting: '' });
  const snippet = embedSnippet(window.location.origin, options);
  const debouncedSnippet = useDebounced(snippet);
  const change = (values: Partial<EmbedOptions>) => setOptions({ ...options, ...values });
  const copy = async () => {
    try {
      await copyText(snippet);
      toast.success('Snippet copied to clipboard');
    } catch (error) {
      showError('Could not copy the snippet', error);
    }
  };
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenHeader title="Chat embed" description="Add the chat assistant to any site with one tag." />
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="grid grid-cols-1 gap-6">
          <Panel heading="Options">
            <OptionFields options={options} onChange={change} />
          </Panel>
          <Panel heading="Snippet">
            <pre className="rounded-md bg-sunken p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
              <code>{snippet}</code>
            </pre>
            <p className="text-sm text-muted">
              Paste it before the closing body tag. The settings list the sites that may use the chat. If the list is
              empty, any site may use it.
            </p>
            <Button onClick={() => void copy()} className="justify-self-start">
              <Copy aria-hidden="true" />
              Copy snippet
            </Button>
          </Panel>
        </div>
        <Panel heading="Live example">
          <iframe
            key={debouncedSnippet}
            title="Live example"
            srcDoc={examplePage(debouncedSnippet)}
            className="h-[40rem] max-h-[75dvh] w-full rounded-md border border-line"
          />
        </Panel>
      </div>
    </div>
  );
}

interface OptionFieldsProps {
  options: EmbedOptions;
  onChange: (values: Partial<EmbedOptions>) => void;
}

function OptionFields({ options, onChange }: OptionFieldsProps) {
  const siteAccent = acceptedAccent(useQuery(siteSettingsQuery).data?.brand_accent ?? '');
  return (
    <>
      <div className="grid gap-5 grid-cols-[minmax(0,1fr)_5rem]">
        <Field label="Position">
          <Select
            value={options.position}
            onChange={({ target }) => onChange({ position: target.value === 'left' ? 'left' : 'right' })}
          >
            <option value="right">Bottom right</option>
            <option value="left">Bottom left</option>
          </Select>
        </Field>
        <Field label="Colour">
          <Input
            type="color"
            value={options.color ?? siteAccent}
            onChange={({ target }) => onChange({ color: target.value === siteAccent ? null : target.value })}
            className="w-20! cursor-pointer px-1.5!"
          />
        </Field>
      </div>
      <Field
        label="Greeting"
        help="Shown beside the button and as the assistant’s first message. Leave empty for none."
      >
        <Input
          value={options.greeting}
          maxLength={300}
          placeholder="Hi, what can I help you with?"
          autoComplete="off"
          onChange={({ target }) => onChange({ greeting: target.value })}
        />
      </Field>
    </>
  );
}

function Panel({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-4 rounded-lg border border-line bg-surface p-5">
      <h2 className="text-lg font-semibold">{heading}</h2>
      {children}
    </section>
  );
}

function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return debounced;
}
