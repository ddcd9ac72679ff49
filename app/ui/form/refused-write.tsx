import { useEffect } from 'react';
import { RefusalNote } from '../refusal-note.tsx';
import { messageOf } from '../show-error.ts';
import { clearToastsOfPage } from '../toast.ts';

/** Error of the last save above the fields. The corresponding toast is removed. */
export function RefusedWrite({ error }: { error: Error | null | undefined }) {
  useEffect(() => clearToastsOfPage, []);
  return error && <RefusalNote title="Not saved">{messageOf(error)}</RefusalNote>;
}
