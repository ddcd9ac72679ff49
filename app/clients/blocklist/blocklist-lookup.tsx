import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { matchingEntriesQuery } from '../blocklist/blocklist.ts';

/**
 * Form that checks whether an address or domain is on the blocklist. Only hashes of addresses are stored.
 */
export function BlocklistLookup({ clientId }: { clientId: string }) {
  const [text, setText] = useState('');
  const [query, setQuery] = useState('');
  const { data, error } = useQuery({ ...matchingEntriesQuery(clientId, query), enabled: query !== '' });
  return (
    <div className="grid grid-cols-1 gap-3">
      <Form
        aria-label="Check the list"
        className="flex max-w-140 flex-wrap items-end gap-3"
        onSubmit={async (event) => {
          event.preventDefault();
          setQuery(text.trim());
        }}
      >
        <Field label="Is this address or domain on the list?" className="min-w-56 flex-1">
          <Input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="secondary">
          Check
        </Button>
      </Form>
      <p role="status" className="[overflow-wrap:anywhere] empty:hidden">
        {error ? messageOf(error) : data && describeResult(query, data)}
      </p>
    </div>
  );
}

function describeResult(query: string, entries: readonly { hint: string; kind: string }[]): string {
  const [entry] = entries;
  if (!entry) return `No. ${query} is not on the list.`;
  return entry.kind === 'address' ? `Yes. ${query} is on the list.` : `Yes. ${query} is blocked by ${entry.hint}.`;
}
