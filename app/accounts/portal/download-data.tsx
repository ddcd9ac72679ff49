import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/lib/download.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { exportOwnDataMutation } from '../own-account.ts';
import { AccountSection } from './account-section.tsx';

export function DownloadData() {
  const collecting = useMutationWithToasts(exportOwnDataMutation, { failure: 'Your data could not be collected' });
  return (
    <AccountSection
      title="Your data"
      description="Everything we keep about you, as JSON. Chats have no account: those that contain your address are included when you signed in by a link from a mail."
    >
      <Button
        variant="secondary"
        className="justify-self-start"
        loading={collecting.isPending}
        onClick={() =>
          collecting.mutate(undefined, { onSuccess: (text) => download(text, 'my-data.json', 'application/json') })
        }
        icon={Download}
      >
        Download my data
      </Button>
    </AccountSection>
  );
}
