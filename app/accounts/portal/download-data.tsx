import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/lib/download.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { exportOwnDataMutation } from '../own-account.ts';
import { AccountSection } from './account-section.tsx';

export function DownloadData() {
  const exportData = useMutationWithToasts(exportOwnDataMutation, { failure: 'Could not export your data' });
  return (
    <AccountSection
      title="Your data"
      description="Everything we store about you, as JSON. Chats that contain your address are included if you signed in with an emailed link."
    >
      <Button
        variant="secondary"
        className="justify-self-start"
        loading={exportData.isPending}
        onClick={() =>
          exportData.mutate(undefined, { onSuccess: (text) => download(text, 'my-data.json', 'application/json') })
        }
        icon={Download}
      >
        Download my data
      </Button>
    </AccountSection>
  );
}
