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
import { previewLabel } from './preview-labels.ts';
import { type PreviewLink, previewLinksQuery, previewUrl, revokePreviewLinkMutation } from './preview-links.ts';

/** Creates links to the whole site, and lists all valid preview links. */
export function PreviewsPage() {
  const [linkToRevoke, setLinkToRevoke] = useState<PreviewLink | null>(null);
  return (
    <div className="grid grid-cols-1 gap-8">
      <ScreenHeader
        title="Preview links"
        description="Share unpublished changes with people who have no account. To share a single item, open its form."
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
          Active links
        </h2>
        <CardList
          query={useQuery(previewLinksQuery)}
          loading="Loading preview links..."
          empty={
            <EmptyState
              icon={Eye}
              title="No active links"
              description="Create a link above. It is listed here until it expires or is revoked."
            />
          }
        >
          {(link) => <LinkRow link={link} onRevoke={() => setLinkToRevoke(link)} />}
        </CardList>
      </section>
      {linkToRevoke && <RevokeLink link={linkToRevoke} onClose={() => setLinkToRevoke(null)} />}
    </div>
  );
}

function LinkRow({ link, onRevoke }: { link: PreviewLink; onRevoke: () => void }) {
  const url = previewUrl(link.token);
  const label = previewLabel(link, formatTime);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-64 grid-cols-1 gap-1">
        <h3 className="leading-snug font-medium [overflow-wrap:anywhere]">{label}</h3>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span className="[overflow-wrap:anywhere]">{link.created_by_email}</span>
          <span>
            until <time dateTime={link.expires_at}>{formatTime(link.expires_at)}</time>
          </span>
        </p>
      </div>
      <div className="-mx-3 flex flex-wrap items-center gap-1">
        <Button variant="ghost" size="sm" onClick={() => copyLink(url)}>
          <Copy aria-hidden="true" />
          Copy
          <span className="sr-only"> the link: {label}</span>
        </Button>
        <a href={url} target="_blank" rel="noopener" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <ExternalLink aria-hidden="true" />
          Open
          <span className="sr-only"> the preview: {label}</span>
        </a>
        <Button variant="ghost" size="sm" onClick={onRevoke}>
          <Unlink aria-hidden="true" />
          Revoke
          <span className="sr-only"> the link: {label}</span>
        </Button>
      </div>
    </div>
  );
}

function RevokeLink({ link, onClose }: { link: PreviewLink; onClose: () => void }) {
  const revoke = useMutationWithToasts(revokePreviewLinkMutation, {
    success: 'Preview link revoked',
    failure: 'Could not revoke the preview link',
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Revoke this link?"
      description={`${previewLabel(link, formatTime)}: the link stops working immediately.`}
      confirmLabel="Revoke"
      destructive
      loading={revoke.isPending}
      onConfirm={() => revoke.mutate(link.id, { onSettled: onClose })}
    />
  );
}
