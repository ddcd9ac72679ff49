import { useQuery } from '@tanstack/react-query';
import { Copy, ExternalLink, Eye, Unlink } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { CardList } from '../../ui/list/card-list.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { copyLink } from './copy-link.ts';
import { LinkForm } from './link-form.tsx';
import { previewInWords } from './preview-labels.ts';
import { type PreviewLink, previewAddress, previewLinksQuery, revokePreviewLinkMutation } from './preview-links.ts';

/** Links to the whole site as it is not yet, and every link that shows something now. */
export function PreviewsPage() {
  const [revoking, setRevoking] = useState<PreviewLink | null>(null);
  return (
    <div className="grid grid-cols-1 gap-8">
      <ScreenHeader
        title="Preview links"
        description="Links to the site with what is not published yet, for people without an account. A link to one item is made beside its form."
      />
      <section aria-labelledby="new-link" className="grid grid-cols-1 gap-4">
        <h2 id="new-link" className="text-lg font-semibold">
          New link to the whole site
        </h2>
        <Card className="p-5">
          <LinkForm />
        </Card>
      </section>
      <section aria-labelledby="live-links" className="grid grid-cols-1 gap-4">
        <h2 id="live-links" className="text-lg font-semibold">
          Live links
        </h2>
        <CardList
          query={useQuery(previewLinksQuery)}
          loading="Loading preview links..."
          empty={
            <EmptyState
              icon={Eye}
              title="No live links"
              description="Create one above. It is listed here until it ends or somebody revokes it."
            />
          }
        >
          {(link) => <LinkRow link={link} onRevoke={() => setRevoking(link)} />}
        </CardList>
      </section>
      {revoking && <RevokeLink link={revoking} onClose={() => setRevoking(null)} />}
    </div>
  );
}

function LinkRow({ link, onRevoke }: { link: PreviewLink; onRevoke: () => void }) {
  const address = previewAddress(link.token);
  const words = previewInWords(link, formatTime);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-64 grid-cols-1 gap-1">
        <h3 className="leading-snug font-medium [overflow-wrap:anywhere]">{words}</h3>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span className="[overflow-wrap:anywhere]">{link.created_by_email}</span>
          <span>
            until <time dateTime={link.expires_at}>{formatTime(link.expires_at)}</time>
          </span>
        </p>
      </div>
      <div className="-mx-3 flex flex-wrap items-center gap-1">
        <Button variant="ghost" size="sm" onClick={() => copyLink(address)}>
          <Copy aria-hidden="true" />
          Copy
          <span className="sr-only"> the link: {words}</span>
        </Button>
        <a href={address} target="_blank" rel="noopener" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <ExternalLink aria-hidden="true" />
          Open
          <span className="sr-only"> the preview: {words}</span>
        </a>
        <Button variant="ghost" size="sm" onClick={onRevoke}>
          <Unlink aria-hidden="true" />
          Revoke
          <span className="sr-only"> the link: {words}</span>
        </Button>
      </div>
    </div>
  );
}

function RevokeLink({ link, onClose }: { link: PreviewLink; onClose: () => void }) {
  const revoke = useMutationWithToasts(revokePreviewLinkMutation, {
    success: 'Preview link revoked',
    failure: 'Error revoking preview link',
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Revoke this link?"
      description={`${previewInWords(link, formatTime)}: whoever has the link sees it no more, from now on.`}
      confirmLabel="Revoke"
      destructive
      loading={revoke.isPending}
      onConfirm={() => revoke.mutate(link.id, { onSettled: onClose })}
    />
  );
}
