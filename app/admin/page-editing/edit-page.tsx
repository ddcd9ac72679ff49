import { useQuery } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { accountQuery } from '../../accounts/session.ts';
import { previewBase } from '../../api/host/preview-base.ts';
import { previewLinksQuery } from '../../editing/previews/preview-links.ts';
import { Button } from '../../ui/button.tsx';
import { LoadFailure, lazy } from '../../ui/lazy.tsx';
import { EDIT_BUTTON_CLASS } from './edit-button-class.ts';

const EditMode = lazy(() => import('./edit-mode.tsx'), {
  Failed: ({ onRetry, onEnd }) => <LoadFailure onRetry={onRetry} onClose={onEnd} />,
});

/** Renders the ‘Edit page’ button for admins. */
export default function EditPage() {
  const { data: account } = useQuery(accountQuery);
  const isPortal = useMatch({ from: '/_gate/_site/_portal', shouldThrow: false, select: () => true });
  const [state, setState] = useState<'idle' | 'editing' | 'ended'>('idle');
  const isReadOnly = useIsReadOnlyPreview();
  if (account?.role !== 'admin' || account.factorDue || isPortal || isReadOnly) return null;
  if (state === 'editing') return <EditMode account={account} onEnd={() => setState('ended')} />;
  return (
    <Button
      ref={(button) => {
        if (state === 'ended') button?.focus();
      }}
      variant="secondary"
      icon={Pencil}
      className={EDIT_BUTTON_CLASS}
      onPointerEnter={EditMode.preload}
      onClick={() => setState('editing')}
    >
      Edit page
    </Button>
  );
}

/**
 * Returns true in the preview of a release. It shows values from the release, so saving a form here would publish them.
 */
function useIsReadOnlyPreview(): boolean {
  const id = previewBase().split('/').at(-1);
  const { data: link } = useQuery({
    ...previewLinksQuery,
    enabled: Boolean(id),
    select: (links) => links.find((candidate) => candidate.id === id),
  });
  return Boolean(id) && link?.release !== null;
}
