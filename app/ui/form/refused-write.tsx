import { useEffect } from 'react';
import { RefusalNote } from '../refusal-note.tsx';
import { messageOf } from '../show-error.ts';
import { clearToastsOfPage } from '../toast.ts';

/** Above the fields of a form: why the last try to save it failed. The toast that tells it goes before, or with the form. */
export function RefusedWrite({ error }: { error: Error | null | undefined }) {
  useEffect(() => clearToastsOfPage, []);
  return error && <RefusalNote title="Not saved">{messageOf(error)}</RefusalNote>;
}
