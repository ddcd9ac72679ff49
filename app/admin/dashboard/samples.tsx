import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { shortList } from '../../content/pages/samples.ts';
import { hideSampleMutation, type Sample, samplesQuery, showSampleMutation } from '../../content/samples.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

/** Lists the sample content on public pages, with actions to replace or hide it. */
export function Samples() {
  const { data: samples, error, refetch } = useQuery(samplesQuery);
  const [sampleToHide, setSampleToHide] = useState<Sample | null>(null);
  return (
    <section aria-labelledby="samples-heading" className="grid gap-4">
      <h2 id="samples-heading" className="flex items-center gap-3 text-lg font-semibold">
        Sample content
        {samples && samples.length > 0 && <Badge>{samples.length}</Badge>}
      </h2>
      {error && !samples && <LoadError error={error} onRetry={() => void refetch()} />}
      {!samples && !error && (
        <div aria-busy="true">
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-16" />
        </div>
      )}
      {samples?.length === 0 && <Card className="p-5 text-muted">No sample content left.</Card>}
      {samples && samples.length > 0 && (
        <Card className="overflow-hidden p-0">
          <details className="group">
            <summary className="flex cursor-pointer list-none items-center justify-between gap-4 px-5 py-4 hover:bg-sunken focus-visible:-outline-offset-2">
              <span className="measure">
                Invented customers, quotes, people and figures. Visitors see them until you replace or hide them.
              </span>
              <ChevronRight
                aria-hidden="true"
                className="size-4.5 shrink-0 text-muted transition-transform group-open:rotate-90"
              />
            </summary>
            <ul className="divide-y divide-line border-t border-line">
              {samples.map((sample) => (
                <SampleRow key={sample.title} sample={sample} onHide={() => setSampleToHide(sample)} />
              ))}
            </ul>
          </details>
        </Card>
      )}
      <HideDialog sample={sampleToHide} onClose={() => setSampleToHide(null)} />
    </section>
  );
}

function SampleRow({ sample, onHide }: { sample: Sample; onHide: () => void }) {
  const { title, names } = sample;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{shortList(names)}</p>
      </div>
      {/* As wide as two buttons, so that the first buttons of all rows are aligned. */}
      <div className="flex gap-3 sm:w-38">
        <ReplaceLink sample={sample} />
        {sample.hide && (
          <Button size="sm" variant="ghost" aria-label={`Hide ${title}`} onClick={onHide}>
            Hide
          </Button>
        )}
      </div>
    </li>
  );
}

/** Links to the editor of the sample. */
function ReplaceLink({ sample: { title, editor } }: { sample: Sample }) {
  const props = { size: 'sm', variant: 'secondary', 'aria-label': `Replace ${title}`, children: 'Replace' } as const;
  if ('kind' in editor) return <ButtonLink to="/admin/$kind" params={{ kind: editor.kind }} {...props} />;
  if ('setting' in editor) return <ButtonLink to="/admin/settings" {...props} />;
  const to = editor.page === 'home' ? '/admin/pages/home' : '/admin/pages/about';
  return <ButtonLink to={to} search={{ tab: editor.tab }} {...props} />;
}

function HideDialog({ sample, onClose }: { sample: Sample | null; onClose: () => void }) {
  const { mutate: show } = useMutationWithToasts(showSampleMutation, {
    success: 'Shown to visitors again',
    failure: 'Could not show the samples again',
  });
  const hide = useMutationWithToasts(
    {
      ...hideSampleMutation,
      onSuccess: async (undo, hidden, ...rest) => {
        toast.success('Hidden from visitors', hidden.title, {
          label: 'Undo',
          onClick: () => show(undo),
        });
        await hideSampleMutation.onSuccess?.(undo, hidden, ...rest);
      },
    },
    { failure: 'Could not hide the samples' },
  );
  // Keep the title while the dialog fades out.
  const lastSample = useRef(sample);
  if (sample) lastSample.current = sample;
  const { title = '', editor } = lastSample.current ?? {};
  return (
    <ConfirmDialog
      open={sample !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Hide ${title}?`}
      description={
        editor && 'kind' in editor
          ? 'Visitors will no longer see them. They become drafts, which you can edit and publish again.'
          : 'Visitors will no longer see them. Your own texts in this section are kept.'
      }
      confirmLabel="Hide"
      loading={hide.isPending}
      onConfirm={() => sample?.hide && hide.mutate({ title, hide: sample.hide }, { onSettled: onClose })}
    />
  );
}
